/** Owns the integers and the boolean. */
import { fail } from './fault.js'
import { type Emit, type NodeSpec, SchemaNode } from './node.js'
import { RawNumber } from './raw-number.js'
import type { Json, JsonSchemaObject, Schema } from './schema.js'
import { varintSize } from './sizes.js'
import { misuse, shown } from './writer.js'

const MAX_U64 = 0xffff_ffff_ffff_ffffn
const DECIMAL = /^(0|[1-9][0-9]{0,19})$/

const calls = (put: string, take: string, skip: string, fixed?: number): Emit => ({
  put: (value) => `w.${put}(${value});`,
  take: () => `r.${take}()`,
  skip: () => `${skip};`,
  fixed,
})

/** Largest integer that generated clients accept without a format: 32 bits, signed. */
const INT32_MAX = 2 ** 31 - 1
const formatOf = (max: number): JsonSchemaObject => (max > INT32_MAX ? { format: 'int64' } : {})

function small(keyword: 'u8' | 'u16' | 'u32' | 'varint', size: number, max: number): Schema<number> {
  const fixed = keyword === 'varint' ? undefined : size
  const spec: NodeSpec<number> = {
    minSize: size,
    maxSize: fixed ?? varintSize(max),
    put: (w, value) => w[keyword](value),
    take: (r) => r[keyword](),
    skip: fixed === undefined ? (r) => void r.varint() : (r) => r.skip(fixed),
    jsonOf: (value) => value,
    ofJson: (json) => {
      if (typeof json !== 'number' || !Number.isSafeInteger(json))
        fail('bad_value', `expected an integer from 0 to ${max}, got ${shown(json)}`)
      if (json < 0 || json > max) fail('out_of_bounds', `expected an integer from 0 to ${max}, got ${json}`)
      return json
    },
    schemaOf: () => ({ type: 'integer', ...formatOf(max), minimum: 0, maximum: max }),
    body: () => keyword,
    emit: calls(keyword, keyword, 'r.varint()', fixed),
  }
  return new SchemaNode(spec)
}

function big(keyword: 'u64' | 'varintBig', description: string): Schema<bigint> {
  const spec: NodeSpec<bigint> = {
    minSize: keyword === 'u64' ? 8 : 1,
    // 64 bits at seven per byte.
    maxSize: keyword === 'u64' ? 8 : 10,
    put: (w, value) => w[keyword](value),
    take: (r) => r[keyword](),
    skip: keyword === 'u64' ? (r) => r.skip(8) : (r) => void r.skipVarintBig(),
    jsonOf: (value) => value.toString(),
    ofJson: bigOfJson,
    schemaOf: () => ({ type: 'string', pattern: '^(0|[1-9][0-9]{0,19})$' }),
    body: () => description,
    jsonString: true,
    emit: calls(keyword, keyword, 'r.skipVarintBig()', keyword === 'u64' ? 8 : undefined),
  }
  return new SchemaNode(spec)
}

/** Integer of a decimal string; an exact integer literal is accepted too. */
function bigOfJson(json: Json | RawNumber): bigint {
  const text = typeof json === 'number' ? String(json) : json instanceof RawNumber ? json.text : json
  if (typeof text !== 'string' || !DECIMAL.test(text)) {
    return fail('bad_value', `expected a decimal string from 0 to 2^64 - 1, got ${shown(text)}`)
  }
  const value = BigInt(text)
  if (value > MAX_U64) fail('out_of_bounds', 'an integer exceeds 2^64 - 1')
  return value
}

/** One byte. */
export const u8: Schema<number> = small('u8', 1, 0xff)
/** Two bytes, little endian. */
export const u16: Schema<number> = small('u16', 2, 0xffff)
/** Four bytes, little endian. */
export const u32: Schema<number> = small('u32', 4, 0xffff_ffff)
/** Safe integer, 0 to 2^53 - 1, as shortest LEB128: times, heights, counts. */
export const varint: Schema<number> = small('varint', 1, Number.MAX_SAFE_INTEGER)
/** Eight bytes, little endian; decimal string in JSON. */
export const u64: Schema<bigint> = big('u64', 'u64')
/** Unsigned 64-bit integer as shortest LEB128; decimal string in JSON. */
export const varintBig: Schema<bigint> = big('varintBig', 'varint64')

const ZIGZAG_MAX = 2 ** 52 - 1

/**
 * Signed integer within 2^52 - 1, whose size grows with its distance from zero: varint of 2n, or of -2n - 1 below zero.
 */
export const zigzag: Schema<number> = new SchemaNode<number>({
  minSize: 1,
  maxSize: varintSize(2 * ZIGZAG_MAX),
  put: (w, value) => {
    if (!Number.isSafeInteger(value) || Math.abs(value) > ZIGZAG_MAX) misuse('an integer within 2^52 - 1', value)
    w.varint(value >= 0 ? 2 * value : -2 * value - 1)
  },
  take: (r) => {
    const at = r.pos
    const folded = r.varint()
    const value = folded % 2 === 0 ? Math.floor(folded / 2) : -Math.floor((folded + 1) / 2)
    if (Math.abs(value) > ZIGZAG_MAX) fail('out_of_bounds', 'an integer exceeds 2^52 - 1', at)
    return value
  },
  skip: (r) => {
    const at = r.pos
    if (r.varint() > 2 * ZIGZAG_MAX) fail('out_of_bounds', 'an integer exceeds 2^52 - 1', at)
  },
  // Avoids minus zero in JSON.
  jsonOf: (value) => value + 0,
  ofJson: (json) => {
    if (typeof json !== 'number' || !Number.isSafeInteger(json))
      return fail('bad_value', `expected an integer, got ${shown(json)}`)
    if (Math.abs(json) > ZIGZAG_MAX) fail('out_of_bounds', `expected an integer within 2^52 - 1, got ${json}`)
    return json + 0
  },
  schemaOf: () => ({ type: 'integer', ...formatOf(ZIGZAG_MAX), minimum: -ZIGZAG_MAX, maximum: ZIGZAG_MAX }),
  body: () => 'zigzag',
})

/** One byte, 0 or 1. */
export const bool: Schema<boolean> = new SchemaNode<boolean>({
  minSize: 1,
  maxSize: 1,
  put: (w, value) => w.bool(value),
  take: (r) => r.bool(),
  skip: (r) => void r.bool(),
  jsonOf: (value) => value,
  ofJson: (json) =>
    typeof json === 'boolean' ? json : fail('bad_value', `expected true or false, got ${shown(json)}`),
  schemaOf: () => ({ type: 'boolean' }),
  body: () => 'bool',
  emit: calls('bool', 'bool', 'r.bool()'),
})
