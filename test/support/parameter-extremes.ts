/**
 * Owns the extreme values of parameters, derived from their declarations, so that a new parameter needs no entry here.
 */
import { isJsonObject, type Json, jsonSchemaRefs } from '../../src/codec/index.js'
import { ABI_2 } from '../../src/features/abi.js'
import { FLOOR_LIMITS } from '../../src/features/gov/ledger/floor.js'
import type { ParameterDef } from '../../src/model/index.js'

const codec = ABI_2.codec('cw')
/** Number of digits of the longest decimal of 512 bits. */
const DIGITS = 154

/** Value of a parameter in JSON form. */
export interface Extreme {
  readonly name: string
  readonly value: Json
}

const isAllowed = (def: ParameterDef<unknown>, value: Json): boolean => {
  const decoded = def.schema.fromJson(value, codec)
  return decoded.ok && def.check?.(decoded.value) === undefined
}

/** Last allowed integer from `from` in a direction; allowed integers are one range around `from`. */
function lastAllowed(from: number, to: number, allowed: (value: number) => boolean): number {
  let [good, bad] = [from, to]
  if (allowed(bad)) return bad
  while (Math.abs(bad - good) > 1) {
    const middle = Math.trunc((good + bad) / 2)
    if (allowed(middle)) good = middle
    else bad = middle
  }
  return good
}

/** Ends of the range of an integer. */
const endsOf = (now: number, allowed: (value: number) => boolean): readonly number[] =>
  [0, Number.MAX_SAFE_INTEGER].map((end) => lastAllowed(now, end, allowed))

/** Smallest and largest decimals: zero, the finest fraction, and the allowed number of nines. */
function decimals(allowed: (value: string) => boolean): readonly string[] {
  const digits = lastAllowed(1, DIGITS, (count) => allowed('9'.repeat(count)))
  return ['0', `0.${'1'.padStart(28, '0')}`, '9'.repeat(digits)]
}

/** Possible texts of a JSON Schema: members of enumerations and names of variants. */
function wordsOf(def: ParameterDef<unknown>): string[] {
  const refs = jsonSchemaRefs()
  const schema = def.schema.jsonSchema(refs)
  const text = JSON.stringify([schema, ...refs.components.values()])
  return [...new Set([...text.matchAll(/"([A-Za-z0-9_]+)"/g)].map(([, word]) => word ?? ''))]
}

/** Values of structs with all integers at one end of their ranges. */
function structs(def: ParameterDef<unknown>, now: { readonly [key: string]: Json }): readonly Json[] {
  const numbers = Object.entries(now).filter((one): one is [string, number] => typeof one[1] === 'number')
  const ends = numbers.map(
    ([key, value]) => [key, endsOf(value, (end) => isAllowed(def, { ...now, [key]: end }))] as const,
  )
  return [0, 1].map((side) => ({ ...now, ...Object.fromEntries(ends.map(([key, both]) => [key, both[side] ?? 0])) }))
}

/** Extreme values that a parameter's own check allows; `samples`: texts and objects with a meaning on a chain. */
export function extremesOf(def: ParameterDef<unknown>, samples: readonly Json[]): readonly Extreme[] {
  const now = def.schema.toJson(def.fallback, codec)
  const own: readonly Json[] =
    typeof now === 'number'
      ? endsOf(now, (value) => isAllowed(def, value))
      : isJsonObject(now)
        ? structs(def, now)
        : [true, false, null, ...decimals((value) => isAllowed(def, value)), ...wordsOf(def), ...samples]
  const variants = isJsonObject(now)
    ? Object.keys(now).flatMap((key) =>
        wordsOf(def).map((word) => ({ ...(structs(def, now)[1] as object), [key]: word }) as Json),
      )
    : []
  const values = [...own, ...variants, ...floorOf(def)].filter((value) => isAllowed(def, value))
  const unlike = new Map(values.map((value) => [JSON.stringify(value), value]))
  unlike.delete(JSON.stringify(now))
  return [...unlike.values()].map((value) => ({ name: def.name, value }))
}

/** Ends of the range that the floor leaves to a parameter, and the first values beyond. */
function floorOf({ name }: ParameterDef<unknown>): readonly number[] {
  const limit = FLOOR_LIMITS.find(({ def }) => def.name === name)
  const { low, high } = limit ?? {}
  return [...(low === undefined ? [] : [low, low - 1]), ...(high === undefined ? [] : [high, high + 1])]
}

/** Value of a parameter that is never set. */
export const fallbackOf = (def: ParameterDef<unknown>): Extreme => ({
  name: def.name,
  value: def.schema.toJson(def.fallback, codec),
})
