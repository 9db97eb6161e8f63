// The quick look at JSON text may say "canonical" of nothing that the full reader would refuse or read otherwise.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, type Json, json, lazyFromBytes, string } from '../../../src/codec/index.js'
import { isSurelyCanonical } from '../../../src/codec/json-canonical.js'

const DEPTH = 6
const value = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false, 0, -1, 7, 10 ** 15, -(10 ** 15), '', 'a', 'é', '"', '\n', '\u{1f600}'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('', 'a', 'b', 'aa', '10', '9', '__proto__', 'é', '"'), tie('value')),
  ),
})).value

/** A text as the wire form of a JSON value. */
const bytesOf = (text: string): Buffer => string(1_000).encode(text)

describe('text that is surely canonical', () => {
  it('is the canonical text of what the platform reads in it', () => {
    const bent = fc.tuple(
      value,
      fc.nat(),
      fc.constantFrom('', ' ', '0', '-', ',', '[', ']', '{', '}', '"', ':', 'a', '\\', '.'),
    )
    let sure = 0
    fc.assert(
      fc.property(bent, ([one, at, put]) => {
        const text = canonicalJson(one, 64)
        const place = at % (text.length + 1)
        for (const tried of [
          text,
          text.slice(0, place) + put + text.slice(place),
          text.slice(0, place) + text.slice(place + 1),
        ]) {
          if (!isSurelyCanonical(tried, DEPTH)) continue
          sure += 1
          expect(canonicalJson(JSON.parse(tried) as Json, DEPTH)).toBe(tried)
        }
      }),
      { numRuns: 2_000 },
    )
    expect(sure).toBeGreaterThan(500)
  })

  it.each([
    '[[[[[[[]]]]]]]',
    '01',
    '-0',
    '1.0',
    '1e3',
    ' 1',
    '[1 ]',
    '{"b":1,"a":2}',
    '{"a":1,"a":2}',
    '[1,]',
    'nul',
    '"\\u0041"',
    '9007199254740993',
  ])('is not %s', (text) => expect(isSurelyCanonical(text, DEPTH)).toBe(false))

  it('decodes and encodes to the same bytes, whatever was decoded before', () => {
    const schema = json(1_000, DEPTH)
    fc.assert(
      fc.property(value, (one) => {
        fc.pre(Buffer.byteLength(canonicalJson(one, 64)) < 900 && isSurelyCanonical(canonicalJson(one, 64), DEPTH))
        const bytes = schema.encode(one)
        const decoded = schema.decode(bytes)
        if (!decoded.ok) throw new Error(decoded.fault.message)
        expect(schema.encode(decoded.value)).toEqual(bytes)
        expect(schema.encode(structuredClone(decoded.value))).toEqual(bytes)
      }),
    )
  })

  it('is read once it was checked as it is read with its check', () => {
    const schema = json(1_000, DEPTH)
    fc.assert(
      fc.property(value, (one) => {
        fc.pre(Buffer.byteLength(canonicalJson(one, 64)) < 900)
        const checked = lazyFromBytes(schema, bytesOf(canonicalJson(one, 64)))
        if (!checked.ok) return
        const read = schema.decode(checked.value.bytes)
        expect(read).toEqual({ ok: true, value: checked.value.value })
        expect(schema.encode(checked.value.value)).toEqual(Buffer.from(checked.value.bytes))
      }),
    )
  })
})
