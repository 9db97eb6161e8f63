/** Owns the exact decimal: a bounded signed mantissa and a scale, one form per value. */
import { fail } from './fault.js'
import { type NodeSpec, SchemaNode } from './node.js'
import { RawNumber } from './raw-number.js'
import type { Reader } from './reader.js'
import type { Json, Schema } from './schema.js'
import { misuse, shown, type Writer } from './writer.js'

/** `mantissa / 10^scale`. Canonical: the last fraction digit is not zero, and zero has scale 0. */
export interface Numeric {
  readonly mantissa: bigint
  readonly scale: number
}

/** Maximum scale: enough for every currency and for 28 fraction digits of a rate. */
export const NUMERIC_MAX_SCALE = 28
/** Maximum size of a mantissa, in bytes: 512 bits, including the sign. */
export const NUMERIC_MAX_BYTES = 64
const LIMIT = 1n << 511n
/** Number of digits of 2^511, the longest mantissa, plus sign, leading zeros of the fraction, and point. */
const MAX_TEXT = 154 + NUMERIC_MAX_SCALE + 3
const DECIMAL = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)

const inRange = (mantissa: bigint): boolean => mantissa < LIMIT && mantissa >= -LIMIT

/** Canonical form of a decimal; undefined for a scale outside 0 to 28 or a mantissa above 512 bits. */
export function normalizeNumeric(value: Numeric): Numeric | undefined {
  let { mantissa, scale } = value
  if (!Number.isInteger(scale) || scale < 0) return undefined
  if (mantissa === 0n) return { mantissa: 0n, scale: 0 }
  while (scale > 0 && mantissa % 10n === 0n) {
    mantissa /= 10n
    scale--
  }
  return scale <= NUMERIC_MAX_SCALE && inRange(mantissa) ? { mantissa, scale } : undefined
}

/**
 * Decimal of a text such as `-12.50`, or undefined: no sign but `-`, no exponent, no leading zeros, digits on both
 * sides of a point.
 */
export function parseNumeric(text: string): Numeric | undefined {
  if (text.length > MAX_TEXT) return undefined
  const match = DECIMAL.exec(text)
  if (match === null) return undefined
  const fraction = match[3] ?? ''
  return normalizeNumeric({ mantissa: BigInt(`${match[1]}${match[2]}${fraction}`), scale: fraction.length })
}

/** Text of a decimal. */
export function formatNumeric(value: Numeric): string {
  const { mantissa, scale } = value
  if (scale === 0) return mantissa.toString()
  const digits = (mantissa < 0n ? -mantissa : mantissa).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, -scale)
  return `${mantissa < 0n ? '-' : ''}${whole}.${digits.slice(-scale)}`
}

function put(w: Writer, value: Numeric): void {
  if (value === null || typeof value !== 'object' || typeof value.mantissa !== 'bigint') misuse('a Numeric', value)
  const { mantissa, scale } = value
  const canonical =
    Number.isInteger(scale) &&
    scale >= 0 &&
    scale <= NUMERIC_MAX_SCALE &&
    inRange(mantissa) &&
    (scale === 0 || mantissa % 10n !== 0n)
  if (!canonical) misuse('a canonical Numeric (see normalizeNumeric)', `${mantissa} / 10^${scale}`)
  w.u8(scale)
  if (mantissa >= 0n && mantissa <= MAX_SAFE) putSmall(w, Number(mantissa))
  else putBig(w, mantissa)
}

/** Write a mantissa within a JavaScript number: the common case, without a bigint per byte. */
function putSmall(w: Writer, mantissa: number): void {
  let size = 1
  for (let bound = 0x80; mantissa >= bound; bound *= 256) size++
  w.u8(size)
  w.ensure(size)
  let rest = mantissa
  for (let at = w.pos + size - 1; at >= w.pos; at--) {
    w.buf[at] = rest % 256
    rest = Math.floor(rest / 256)
  }
  w.pos += size
}

function putBig(w: Writer, mantissa: bigint): void {
  // A negative number has the length of its complement.
  const magnitude = (mantissa < 0n ? ~mantissa : mantissa).toString(16)
  const bits = 4 * magnitude.length - Math.clz32(Number.parseInt(magnitude.slice(0, 1), 16)) + 28
  const size = Math.floor(bits / 8) + 1
  const digits = mantissa < 0n ? BigInt.asUintN(8 * size, mantissa).toString(16) : magnitude.padStart(2 * size, '0')
  w.u8(size)
  w.ensure(size)
  w.pos += w.buf.write(digits, w.pos, 'hex')
}

/** Check one decimal in place and advance the reader past it; returns the start of the mantissa. */
function checked(r: Reader): number {
  const at = r.pos
  const scale = r.u8()
  if (scale > NUMERIC_MAX_SCALE) fail('out_of_bounds', `scale ${scale}, at most ${NUMERIC_MAX_SCALE}`, at)
  const size = r.u8()
  if (size > NUMERIC_MAX_BYTES)
    fail('out_of_bounds', `a mantissa of ${size} bytes exceeds the limit of ${NUMERIC_MAX_BYTES}`, at + 1)
  if (size === 0) fail('non_canonical', 'a mantissa must have at least one byte', at + 1)
  const start = r.take(size)
  const first = r.buf[start]!
  if (size > 1) {
    const second = r.buf[start + 1]!
    if ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80)) {
      fail('non_canonical', 'the mantissa is not in its shortest form', start)
    }
  }
  if (scale > 0) {
    // 256 = 6 and 256^n = 6 (mod 10), so the last decimal digit follows from the sum of the bytes.
    let upper = 0
    for (let i = start; i < r.pos - 1; i++) upper += r.buf[i]!
    const unsigned = 6 * upper + r.buf[r.pos - 1]!
    if ((first < 0x80 ? unsigned : unsigned + 4) % 10 === 0)
      fail('non_canonical', 'the last fraction digit must not be zero', at)
  }
  return start
}

function take(r: Reader): Numeric {
  const at = r.pos
  const start = checked(r)
  const { buf } = r
  const scale = buf[at]!
  const size = r.pos - start
  if (size <= 6) return { mantissa: BigInt(buf.readIntBE(start, size)), scale }
  const unsigned = BigInt(`0x${buf.toString('hex', start, r.pos)}`)
  return { mantissa: BigInt.asIntN(8 * size, unsigned), scale }
}

function ofJson(json: Json | RawNumber): Numeric {
  const text =
    json instanceof RawNumber ? json.text : typeof json === 'number' && Number.isSafeInteger(json) ? String(json) : json
  const value = typeof text === 'string' ? parseNumeric(text) : undefined
  return (
    value ??
    fail('bad_value', `expected a decimal string with at most ${NUMERIC_MAX_SCALE} fraction digits, got ${shown(text)}`)
  )
}

const spec: NodeSpec<Numeric> = {
  minSize: 3,
  maxSize: 2 + NUMERIC_MAX_BYTES,
  put,
  take,
  skip: (r) => void checked(r),
  jsonOf: formatNumeric,
  ofJson,
  schemaOf: () => ({
    type: 'string',
    pattern: `^-?(0|[1-9][0-9]*)(\\.[0-9]{1,${NUMERIC_MAX_SCALE}})?$`,
    maxLength: MAX_TEXT,
  }),
  body: () => 'numeric',
}

/** An exact decimal: scale (u8), length of the mantissa (u8), mantissa as shortest big-endian two's complement. JSON: decimal string. */
export const numeric: Schema<Numeric> = new SchemaNode(spec)
