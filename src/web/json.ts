/**
 * Owns the types of JSON responses, derived from the records of the API: names in snake case, bytes and large numbers
 * as texts.
 */
import type { Numeric } from '../codec/index.js'

type Snake<K extends string> = K extends `${infer Head}${infer Tail}`
  ? Head extends Lowercase<Head>
    ? `${Head}${Snake<Tail>}`
    : `_${Lowercase<Head>}${Snake<Tail>}`
  : ''

/** `{"Variant": body}`, or `"Variant"` without one. */
type Variant<T> = T extends { readonly kind: infer K; readonly value: infer V }
  ? K extends string
    ? V extends undefined
      ? Capitalize<K>
      : { readonly [N in Capitalize<K>]: JsonOf<V> }
    : never
  : never

/** JSON form of a record. Enum texts are lower case only in parameters, which are texts here. */
export type JsonOf<T> = T extends Uint8Array | bigint | Numeric
  ? string
  : T extends string
    ? string extends T
      ? string
      : Capitalize<T>
    : T extends number | boolean
      ? T
      : T extends undefined
        ? null | undefined
        : T extends ReadonlyMap<unknown, infer V>
          ? Readonly<Record<string, JsonOf<V>>>
          : T extends readonly (infer I)[]
            ? readonly JsonOf<I>[]
            : T extends { readonly kind: string; readonly value: unknown }
              ? Variant<T>
              : T extends object
                ? { readonly [K in keyof T & string as Snake<K>]: JsonOf<T[K]> }
                : unknown

/** Page of a list. */
export interface PageOf<T> {
  readonly items: readonly T[]
  readonly next_cursor: string | null
  readonly height: number
}
