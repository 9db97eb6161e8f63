/** Owns the tests of integers, byte strings, texts, decimals and JSON values. */
import { describe, expect, test } from 'vitest'
import {
  binaryKey,
  bytes,
  bytesN,
  canonicalJson,
  compareBytes,
  compareText,
  formatNumeric,
  hex,
  type Json,
  json,
  normalizeNumeric,
  numeric,
  parseNumeric,
  type Schema,
  string,
  text,
  u8,
  u32,
  u64,
  varint,
  varintBig,
} from '../../../src/codec/index.js'

const hexOf = <T>(schema: Schema<T>, value: T): string => schema.encode(value).toString('hex')
const codeOf = <T>(schema: Schema<T>, encoded: string): string | undefined => {
  const bytes = Buffer.from(encoded, 'hex')
  const decoded = schema.decode(bytes)
  const code = decoded.ok ? undefined : decoded.fault.code
  expect(schema.check(bytes)?.code).toBe(code)
  return code
}
const jsonCode = <T>(schema: Schema<T>, value: Json): string | undefined => {
  const decoded = schema.fromJson(value)
  return decoded.ok ? undefined : decoded.fault.code
}

describe('integers', () => {
  test.each([
    [0, '00'],
    [127, '7f'],
    [128, '8001'],
    [2 ** 28 - 1, 'ffffff7f'],
    [2 ** 28, '8080808001'],
    [2 ** 31, '8080808008'],
    [2 ** 32, '8080808010'],
    [Number.MAX_SAFE_INTEGER, 'ffffffffffffff0f'],
  ])('varint %d is %s', (value, encoded) => {
    expect(hexOf(varint, value)).toBe(encoded)
    expect(varint.decode(Buffer.from(encoded, 'hex'))).toEqual({ ok: true, value })
    expect(hexOf(varintBig, BigInt(value))).toBe(encoded)
  })

  test('are little endian', () => {
    expect(hexOf(u32, 0x01020304)).toBe('04030201')
    expect(hexOf(u64, 0x0102030405060708n)).toBe('0807060504030201')
  })

  test('throw for values outside of the type', () => {
    for (const value of [-1, 256, 1.5, Number.NaN])
      expect(() => u8.encode(value)).toThrow('expected an integer from 0 to 255')
    expect(() => varint.encode(2 ** 53)).toThrow('safe integer')
    expect(() => u64.encode(2n ** 64n)).toThrow('2^64 - 1')
    expect(() => u64.encode(1 as never)).toThrow('bigint')
  })

  test('are exact in JSON', () => {
    expect(u64.parseJson('18446744073709551615')).toEqual({ ok: true, value: 2n ** 64n - 1n })
    expect(u64.parseJson('"18446744073709551615"')).toEqual({ ok: true, value: 2n ** 64n - 1n })
    expect(u64.parseJson('18446744073709551616')).toMatchObject({ fault: { code: 'out_of_bounds' } })
    expect(varint.parseJson('9007199254740993')).toMatchObject({ fault: { code: 'bad_value' } })
    expect(varint.parseJson('1.0')).toMatchObject({ fault: { code: 'bad_value' } })
    expect(varint.parseJson('1e3')).toMatchObject({ fault: { code: 'bad_value' } })
    expect(jsonCode(u64, '01')).toBe('bad_value')
    expect(jsonCode(u8, 256)).toBe('out_of_bounds')
    expect(jsonCode(u8, '1')).toBe('bad_value')
  })
})

describe('bytes', () => {
  test('are decoded as views and encoded as copies', () => {
    const input = Buffer.from('0401020304', 'hex')
    const decoded = bytes(10).decode(input)
    if (!decoded.ok) throw new Error('refused')
    expect(decoded.value.buffer).toBe(input.buffer)
    input[1] = 9
    expect(decoded.value[0]).toBe(9)
    const own = Buffer.from([1, 2])
    const encoded = bytes(10).encode(own)
    own[0] = 7
    expect(encoded.toString('hex')).toBe('020102')
  })

  test('have exactly one accepted JSON text', () => {
    expect(jsonCode(bytes(10), 'AQ')).toBe('bad_value')
    expect(jsonCode(bytes(10), 'AR==')).toBe('bad_value')
    expect(jsonCode(bytes(10), 'A_==')).toBe('bad_value')
    expect(jsonCode(hex(10), 'AB')).toBe('bad_value')
    expect(jsonCode(hex(10), 'abc')).toBe('bad_value')
    expect(jsonCode(bytesN(2), 'ab')).toBe('out_of_bounds')
  })

  test('can be given as a plain Uint8Array', () => {
    expect(bytesN(2).encode(Uint8Array.of(1, 2))).toEqual(Buffer.of(1, 2))
    expect(bytesN(2).decode(Uint8Array.of(1, 2)).ok).toBe(true)
    expect(() => bytesN(2).encode(Uint8Array.of(1))).toThrow('expected 2 bytes')
    expect(() => bytes(1).encode(Uint8Array.of(1, 2))).toThrow('at most 1 bytes')
  })

  test('allocate no memory for a huge length', () => {
    expect(codeOf(bytes(Number.MAX_SAFE_INTEGER), 'ffffffffffffff0f')).toBe('truncated')
  })
})

describe('texts', () => {
  test('keep a byte order mark, and refuse lone surrogates', () => {
    const bom = '\ufefftext'
    expect(string(20).decode(string(20).encode(bom))).toEqual({ ok: true, value: bom })
    expect(() => string(20).encode('\ud800')).toThrow('lone surrogates')
    expect(() => string(200).encode(`${'x'.repeat(60)}\udc00`)).toThrow('lone surrogates')
    expect(string(20).parseJson('"\\ud800"')).toMatchObject({ fault: { code: 'bad_utf8' } })
    expect(jsonCode(string(20), '\udfff')).toBe('bad_utf8')
    expect(codeOf(string(20), '03eda080')).toBe('bad_utf8')
  })

  test('are bounded in bytes', () => {
    expect(() => string(3).encode('\u20ac\u20ac')).toThrow('at most 3 bytes')
    expect(jsonCode(string(3), '\u20ac\u20ac')).toBe('out_of_bounds')
    expect(string(3).encode('\u20ac')).toHaveLength(4)
    for (const size of [41, 42, 43, 127, 128, 300]) {
      for (const unit of ['x', '\u00e9', '\u20ac', '\u{1f600}']) {
        const value = unit.repeat(size)
        expect(string(5_000).decode(string(5_000).encode(value))).toEqual({ ok: true, value })
      }
    }
  })

  test('enforce a rule in every direction, also for cached texts', () => {
    const word = text('Word', 10, (value) => (/^[a-z]+$/.test(value) ? undefined : 'letters only'))
    for (let i = 0; i < 2; i++) {
      expect(codeOf(word, '03616263')).toBeUndefined()
      expect(codeOf(word, '03616231')).toBe('bad_value')
      expect(jsonCode(word, 'ab1')).toBe('bad_value')
      expect(() => word.encode('ab1')).toThrow('letters only')
      expect(hexOf(word, 'abc')).toBe('03616263')
    }
  })

  test('byte keys are latin1 strings with their own text form', () => {
    const key = binaryKey(4, {
      name: 'Key',
      toText: (value, ctx) => `${ctx?.addressPrefix ?? 'none'}1${Buffer.from(value, 'latin1').toString('hex')}`,
      fromText: (value, ctx) => {
        const prefix = `${ctx?.addressPrefix ?? 'none'}1`
        return value.startsWith(prefix) ? Buffer.from(value.slice(prefix.length), 'hex').toString('latin1') : undefined
      },
    })
    const value = '\u00ff\u0000\u0080'
    expect(hexOf(key, value)).toBe('03ff0080')
    expect(key.decode(Buffer.from('03ff0080', 'hex'))).toEqual({ ok: true, value })
    const ctx = { addressPrefix: 'cw' }
    expect(key.toJson(value, ctx)).toBe('cw1ff0080')
    expect(key.fromJson('cw1ff0080', ctx)).toEqual({ ok: true, value })
    expect(key.fromJson('tt1ff0080', ctx)).toMatchObject({ fault: { code: 'bad_value' } })
    expect(() => key.encode('\u0100')).toThrow('U+00FF')
    expect(() => key.encode('12345')).toThrow('at most 4 bytes')
    const fixed = binaryKey(2, { name: 'Fixed', exactBytes: 2, toText: String, fromText: String })
    expect(hexOf(fixed, 'ab')).toBe('6162')
    expect(() => fixed.encode('a')).toThrow('expected 2 bytes')
    expect(jsonCode(fixed, 'abc')).toBe('bad_value')
  })

  test('are ordered by their bytes', () => {
    const texts = ['', 'a', 'aa', 'b', '\u00e9', '\u20ac', '\uffff', '\u{1f600}', '\u{1f600}a', 'a\u{10ffff}']
    for (const a of texts) {
      for (const b of texts) {
        expect(Math.sign(compareText(a, b))).toBe(Math.sign(compareBytes(Buffer.from(a), Buffer.from(b))))
      }
    }
    expect('\u{1f600}' < '\uffff').toBe(true)
  })
})

describe('numeric', () => {
  test.each([
    ['0', '0'],
    ['-0', '0'],
    ['1.50', '1.5'],
    ['-0.010', '-0.01'],
    ['100', '100'],
    ['0.0000000000000000000000000001', '0.0000000000000000000000000001'],
  ])('formats %s as %s', (input, output) => {
    const value = parseNumeric(input)
    expect(value && formatNumeric(value)).toBe(output)
    expect(value && numeric.decode(numeric.encode(value))).toEqual({ ok: true, value })
  })

  test.each([
    '',
    '+1',
    '01',
    '1.',
    '.5',
    '1e3',
    ' 1',
    '1,5',
    '--1',
    'NaN',
    '0.00000000000000000000000000001',
    '9'.repeat(400),
  ])('refuses "%s"', (input) => {
    expect(parseNumeric(input)).toBeUndefined()
  })

  test('is bounded in digits and scale', () => {
    expect(normalizeNumeric({ mantissa: 2n ** 511n, scale: 0 })).toBeUndefined()
    expect(normalizeNumeric({ mantissa: -(2n ** 511n), scale: 0 })).toBeDefined()
    expect(normalizeNumeric({ mantissa: 1n, scale: 29 })).toBeUndefined()
    expect(normalizeNumeric({ mantissa: 10n, scale: 29 })).toEqual({ mantissa: 1n, scale: 28 })
    expect(normalizeNumeric({ mantissa: 1n, scale: -1 })).toBeUndefined()
    expect(parseNumeric((2n ** 511n).toString())).toBeUndefined()
    const smallest = `-0.${(2n ** 511n).toString().slice(0, 28)}`
    expect(parseNumeric(smallest)).toBeDefined()
  })

  test('writes only the canonical form', () => {
    expect(() => numeric.encode({ mantissa: 10n, scale: 1 })).toThrow('normalizeNumeric')
    expect(() => numeric.encode({ mantissa: 0n, scale: 1 })).toThrow('normalizeNumeric')
    expect(() => numeric.encode({ mantissa: 2n ** 511n, scale: 0 })).toThrow('normalizeNumeric')
  })

  test('reads JSON numbers exactly', () => {
    expect(numeric.parseJson('0.1')).toEqual({ ok: true, value: { mantissa: 1n, scale: 1 } })
    expect(numeric.parseJson('12345678901234567890.25')).toEqual({
      ok: true,
      value: { mantissa: 1234567890123456789025n, scale: 2 },
    })
    expect(numeric.parseJson('1e2')).toMatchObject({ fault: { code: 'bad_value' } })
    expect(jsonCode(numeric, 0.1)).toBe('bad_value')
    expect(numeric.toJson({ mantissa: -5n, scale: 3 })).toBe('-0.005')
  })
})

describe('JSON values', () => {
  test('have a canonical text', () => {
    expect(canonicalJson({ b: [1, null, true], a: { 'x\n': '\u0007"\\\u20ac' } })).toBe(
      '{"a":{"x\\n":"\\u0007\\"\\\\\u20ac"},"b":[1,null,true]}',
    )
    // RFC 8785 orders keys by UTF-16 units, unlike everything else here.
    expect(canonicalJson({ '\ufffd': 1, '\u{1f600}': 2 })).toBe('{"\u{1f600}":2,"\ufffd":1}')
    expect(() => canonicalJson(1.5)).toThrow('no canonical JSON')
    expect(() => canonicalJson({ a: undefined } as never)).toThrow('no canonical JSON')
    expect(() => canonicalJson([[1]], 1)).toThrow('too deep')
  })

  test('keep hostile keys as data', () => {
    const schema = json(100, 3)
    const decoded = schema.parseJson('{"__proto__": {"x": 1}, "constructor": 2}')
    if (!decoded.ok) throw new Error(decoded.fault.message)
    expect(Object.keys(decoded.value as object).sort()).toEqual(['__proto__', 'constructor'])
    expect(({} as { x?: number }).x).toBeUndefined()
    const again = schema.decode(schema.encode(decoded.value))
    expect(again.ok && schema.encode(again.value)).toEqual(schema.encode(decoded.value))
  })

  test('are bounded in depth and size', () => {
    const schema = json(10, 1)
    expect(jsonCode(schema, [[]])).toBe('too_deep')
    expect(jsonCode(schema, 'x'.repeat(9))).toBe('out_of_bounds')
    expect(jsonCode(schema, 1.5)).toBe('bad_value')
    expect(schema.parseJson('1.5')).toMatchObject({ fault: { code: 'bad_value' } })
    expect(() => schema.encode('x'.repeat(9))).toThrow('at most 10 bytes')
  })
})
