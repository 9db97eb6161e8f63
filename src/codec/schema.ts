/** Owns the public types of the codec: the schema interface, the context, open registries, JSON values. */
import type { CodecFault, Decoded } from './fault.js'
import type { CodecLimits } from './limits.js'
import type { Reader } from './reader.js'
import type { Writer } from './writer.js'

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json }

/** True for a JSON object: neither a list nor a single value. */
export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** True for a JSON list. */
export const isJsonList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

/** A JSON Schema (2020-12) document. */
export type JsonSchemaObject = { [key: string]: Json }

/** Context of encoding and decoding, passed to every call: there is no global state. */
export interface CodecContext {
  /** Open registries of the active ABI, by name. */
  readonly registries?: Readonly<Record<string, OpenRegistry>> | undefined
  /** Human-readable part of account addresses in JSON. */
  readonly addressPrefix?: string
  /**
   * Resolver of texts that JSON contains in place of ids. Gateways and clients set it for user input; records of the
   * ledger contain ids only.
   */
  readonly aliases?: AliasIds | undefined
}

/** Id of a text in place of an id of a named schema; undefined if unknown. */
export type AliasIds = (schema: string, text: string) => string | undefined

/** Member of an open registry. */
export interface OpenEntry {
  /** Number on the wire. */
  readonly id: number
  /** camelCase name: `kind` of the value, PascalCase in JSON. */
  readonly kind: string
  readonly schema: Schema<unknown>
}

/** Members of an open enum at one ABI. */
export interface OpenRegistry {
  readonly name: string
  byId(id: number): OpenEntry | undefined
  byKind(kind: string): OpenEntry | undefined
  readonly entries: readonly OpenEntry[]
}

/** Collector of named components of JSON Schemas. Create one with `jsonSchemaRefs`. */
export interface JsonSchemaRefs {
  /** Component schemas by name. */
  readonly components: Map<string, JsonSchemaObject>
  /** Registries whose members are listed; an open enum without one accepts any one-key object. */
  readonly registries: Readonly<Record<string, OpenRegistry>>
}

/**
 * Declaration of a record: its canonical bytes, JSON form, JSON Schema and schema hash.
 *
 * `T` is the type of decoded values. Bytes decode as views into the input: copy them if they outlive it.
 */
export interface Schema<T> {
  /** Declared name, for structs, enums and named texts. */
  readonly name: string | undefined
  /** Minimum size of a value in bytes. */
  readonly minSize: number
  /** Maximum size of a value, in bytes; Infinity if the declaration has no bound (open and recursive types). */
  readonly maxSize: number

  /**
   * Canonical bytes in a new buffer. Throws an Error for a value that does not match the schema: a bug of the caller.
   */
  encode(value: T, ctx?: CodecContext): Buffer
  /** Append the canonical bytes. Throws like `encode`. */
  write(writer: Writer, value: T, ctx?: CodecContext): void
  /** Value of exactly these bytes, or the fault. */
  decode(bytes: Uint8Array, ctx?: CodecContext, limits?: CodecLimits): Decoded<T>
  /** Read one value at the reader's position. Throws a RawFault, which `decodeWith` turns into a value. */
  read(reader: Reader): T
  /** Like `decode` without building the value: undefined if the bytes are canonical. */
  check(bytes: Uint8Array, ctx?: CodecContext, limits?: CodecLimits): CodecFault | undefined

  /** JSON form: snake_case fields, PascalCase variants. */
  toJson(value: T, ctx?: CodecContext): Json
  /** Value of a parsed JSON form; parsing loses numbers beyond 2^53 - 1 and duplicate keys. */
  fromJson(json: Json, ctx?: CodecContext): Decoded<T>
  /** Value of a JSON text, parsed strictly: duplicates rejected, integers exact, faults with path, line and column. */
  parseJson(text: string | Uint8Array, ctx?: CodecContext, limits?: CodecLimits): Decoded<T>

  /** JSON Schema of the JSON form; named types are added to `refs` and referenced. */
  jsonSchema(refs: JsonSchemaRefs): JsonSchemaObject
  /** Canonical description of the whole structure: the root on the first line, then every named type in byte order. */
  describe(): string
  /** First 16 bytes of the tagged hash of the description. */
  readonly hash: Buffer
}

/** Type of the values of a schema. */
export type Infer<S> = S extends Schema<infer T> ? T : never
