/** Owns the properties that hold for every type: round trips, one byte string per value, two interpreters that agree. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Decoded, Schema } from '../../../src/codec/index.js'
import { pinClosures } from '../../../src/codec/struct.js'
import { context, randomType } from './random-types.js'

const RUNS = 400

/** A type, a value of it, and the same type on closures. */
const sample = randomType.chain((type) => {
  const { schema, values } = type.make('R')
  const closures = type.make('R').schema
  pinClosures(closures)
  return values.map((value) => ({ label: type.label, schema, closures, value }))
})

/** Changes of bytes in transit: flipped, cut, lengthened. */
const damage = fc.array(
  fc.record({
    at: fc.nat(400),
    byte: fc.integer({ min: 0, max: 255 }),
    how: fc.constantFrom('set', 'insert', 'cut', 'small'),
  }),
  { minLength: 1, maxLength: 3 },
)

function damaged(bytes: Buffer, steps: readonly { at: number; byte: number; how: string }[]): Buffer {
  let out = Buffer.from(bytes)
  for (const { at, byte, how } of steps) {
    const i = out.length === 0 ? 0 : at % out.length
    if (how === 'insert') out = Buffer.concat([out.subarray(0, i), Buffer.from([byte]), out.subarray(i)])
    else if (how === 'cut') out = Buffer.concat([out.subarray(0, i), out.subarray(i + 1)])
    else if (out.length > 0) out[i] = how === 'small' ? byte % 4 : byte
  }
  return out
}

const okValue = <T>(decoded: Decoded<T>): T => {
  if (!decoded.ok)
    throw new Error(`${decoded.fault.code} ${decoded.fault.message} at ${decoded.fault.path ?? decoded.fault.at}`)
  return decoded.value
}

/**
 * Result of one interpreter for bytes: the canonical bytes again, or the code of the refusal (generated checks skip
 * several fields at once, so offsets may differ).
 */
function decodeResult(schema: Schema<unknown>, bytes: Buffer): unknown {
  const decoded = schema.decode(bytes, context)
  return decoded.ok ? schema.encode(decoded.value, context).toString('hex') : { code: decoded.fault.code }
}

describe('every type', () => {
  test('round trips through bytes, on both interpreters', () => {
    fc.assert(
      fc.property(sample, ({ schema, closures, value }) => {
        const bytes = schema.encode(value, context)
        expect(bytes.length).toBeGreaterThanOrEqual(schema.minSize)
        expect(bytes.length).toBeLessThanOrEqual(schema.maxSize)
        const decoded = okValue(schema.decode(bytes, context))
        expect(schema.encode(decoded, context)).toEqual(bytes)
        expect(closures.encode(okValue(closures.decode(bytes, context)), context)).toEqual(bytes)
        expect(schema.check(bytes, context)).toBeUndefined()
        expect(closures.check(bytes, context)).toBeUndefined()
        expect(closures.hash).toEqual(schema.hash)
      }),
      { numRuns: RUNS },
    )
  })

  test('round trips through JSON text', () => {
    fc.assert(
      fc.property(sample, ({ schema, value }) => {
        const bytes = schema.encode(value, context)
        const json = schema.toJson(okValue(schema.decode(bytes, context)), context)
        expect(schema.encode(okValue(schema.fromJson(json, context)), context)).toEqual(bytes)
        const text = JSON.stringify(json, null, 2)
        expect(schema.encode(okValue(schema.parseJson(text, context)), context)).toEqual(bytes)
        expect(schema.encode(okValue(schema.parseJson(Buffer.from(text), context)), context)).toEqual(bytes)
      }),
      { numRuns: RUNS },
    )
  })

  test('refuses corrupt bytes or decodes them canonically; check and both interpreters agree', () => {
    let refused = 0
    let accepted = 0
    fc.assert(
      fc.property(sample, damage, ({ schema, closures, value }, steps) => {
        const bytes = damaged(schema.encode(value, context), steps)
        const decoded = decodeResult(schema, bytes)
        expect(decodeResult(closures, bytes)).toEqual(decoded)
        const checked = schema.check(bytes, context)
        expect(closures.check(bytes, context)?.code).toBe(checked?.code)
        if (typeof decoded === 'string') {
          accepted++
          expect(decoded).toBe(bytes.toString('hex'))
          expect(checked).toBeUndefined()
        } else {
          refused++
          expect(checked?.code).toBe((decoded as { code: string }).code)
        }
      }),
      { numRuns: 4 * RUNS },
    )
    expect(refused).toBeGreaterThan(RUNS / 4)
    expect(accepted).toBeGreaterThan(RUNS / 8)
  })

  test('tolerates any bytes', () => {
    fc.assert(
      fc.property(sample, fc.uint8Array({ maxLength: 60 }), ({ schema, closures }, array) => {
        const bytes = Buffer.from(array)
        const decoded = decodeResult(schema, bytes)
        expect(decodeResult(closures, bytes)).toEqual(decoded)
        if (typeof decoded === 'string') expect(decoded).toBe(bytes.toString('hex'))
        expect(schema.check(bytes, context) === undefined).toBe(typeof decoded === 'string')
      }),
      { numRuns: RUNS },
    )
  })

  test('tolerates any JSON', () => {
    fc.assert(
      fc.property(sample, fc.json({ maxDepth: 3 }), ({ schema }, text) => {
        const parsed = schema.parseJson(text, context)
        if (parsed.ok) expect(schema.check(schema.encode(parsed.value, context), context)).toBeUndefined()
        else expect(parsed.fault.message).not.toBe('')
      }),
      { numRuns: RUNS },
    )
  })
})
