// The look at JSON text tells canonical text from any other, without building its value.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  canonicalJson,
  type Json,
  json,
  lazy,
  lazyFromBytes,
  lazyOf,
  string,
  struct,
} from '../../../src/codec/index.js'
import { canonicalWeight } from '../../../src/codec/json-canonical.js'

const DEPTH = 6
const value = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      null,
      true,
      false,
      0,
      -1,
      7,
      10 ** 15,
      -(10 ** 15),
      '',
      'a',
      'é',
      '"',
      '\\',
      '\n',
      '\u0001',
      '\u001f',
      '\u{1f600}',
      2 ** 53 - 1,
      1 - 2 ** 53,
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.constantFrom('', 'a', 'b', 'aa', '10', '9', '__proto__', 'é', '"', '\n', '\u0001', '!', '\u{1f600}', '\uffff'),
      tie('value'),
    ),
  ),
})).value

/** A text as the wire form of a JSON value. */
const bytesOf = (text: string): Buffer => string(1_000).encode(text)

/** True if a text is the canonical form of its value. */
function isWritten(text: string): boolean {
  try {
    return canonicalJson(JSON.parse(text) as Json, DEPTH) === text
  } catch {
    return false
  }
}

describe('canonical text', () => {
  it('is accepted only in the canonical form of its value', () => {
    const bent = fc.tuple(
      value,
      fc.nat(),
      fc.constantFrom(
        '',
        ' ',
        '0',
        '9',
        '-',
        ',',
        '[',
        ']',
        '{',
        '}',
        '"',
        ':',
        'a',
        '\\',
        '.',
        '\\n',
        '\\u0001',
        '\\u000a',
      ),
    )
    let written = 0
    fc.assert(
      fc.property(bent, ([one, at, put]) => {
        const text = canonicalJson(one, 64)
        const place = at % (text.length + 1)
        for (const tried of [
          text,
          text.slice(0, place) + put + text.slice(place),
          text.slice(0, place) + text.slice(place + 1),
        ]) {
          if (!(tried as string & { isWellFormed(): boolean }).isWellFormed()) continue
          const is = isWritten(tried)
          expect([tried, canonicalWeight(tried, DEPTH) !== undefined]).toEqual([tried, is])
          if (is) written += 1
        }
      }),
      { numRuns: 2_000 },
    )
    expect(written).toBeGreaterThan(500)
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
    '10000000000000000',
    '"\\u000A"',
    '"\\u000a"',
    '"\\/"',
    '"\\u001F"',
    '{"a":1,"\\u0061":2}',
  ])('is never %s', (text) => expect(canonicalWeight(text, DEPTH)).toBeUndefined())

  it('decodes and encodes to the same bytes, independent of earlier values', () => {
    const schema = json(1_000, DEPTH)
    fc.assert(
      fc.property(value, (one) => {
        fc.pre(
          Buffer.byteLength(canonicalJson(one, 64)) < 900 &&
            canonicalWeight(canonicalJson(one, 64), DEPTH) !== undefined,
        )
        const bytes = schema.encode(one)
        const decoded = schema.decode(bytes)
        if (!decoded.ok) throw new Error(decoded.fault.message)
        expect(schema.encode(decoded.value)).toEqual(bytes)
        expect(schema.encode(structuredClone(decoded.value))).toEqual(bytes)
      }),
    )
  })

  it('is decoded identically with and without its check', () => {
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

  it('returns the value as its JSON form without a copy, since values are immutable', () => {
    const schema = json(1_000, DEPTH)
    const decoded = schema.decode(bytesOf('[{"a":[]}]'))
    if (!decoded.ok) throw new Error(decoded.fault.message)
    expect(schema.toJson(decoded.value)).toBe(decoded.value)
    // A value of another origin is looked at, and one that is nested deeper than allowed is no value of the schema.
    expect(schema.toJson([-0])).toEqual([0])
    expect(() => json(1_000, 1).toJson(decoded.value)).toThrow('too deep')
  })

  it('has the same weight for its value, however it was read', () => {
    const weightOf = (of: Json): number => {
      if (of === null || typeof of !== 'object') return 0
      if (Array.isArray(of)) return of.reduce<number>((sum, item) => sum + weightOf(item), 1)
      return Object.values(of).reduce<number>((sum, item) => sum + 2 + weightOf(item), 6)
    }
    const schema = struct('Weighed', { first: json(1_000, 64), second: json(1_000, 64) })
    const outer = lazy(schema)
    fc.assert(
      fc.property(value, value, (first, second) => {
        fc.pre([first, second].every((one) => Buffer.byteLength(canonicalJson(one, 64)) < 900))
        const made = lazyOf(schema, { first, second })
        const read = outer.decode(outer.encode(made))
        const checked = lazyFromBytes(schema, made.bytes)
        if (!read.ok || !checked.ok) throw new Error('what was encoded decodes')
        const weight = weightOf(first) + weightOf(second)
        expect([made, read.value, checked.value].map((one) => one.jsonWeight)).toEqual([weight, weight, weight])
      }),
    )
  })
})
