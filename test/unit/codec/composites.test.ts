/** Owns the tests of options, lists, maps, structs, enums, open enums, recursion and lazy values. */
import { describe, expect, test } from 'vitest'
import {
  bool,
  bounded,
  bytesN,
  type CodecContext,
  decodeWith,
  enumOf,
  type Infer,
  type Json,
  json,
  lazy,
  lazyFromBytes,
  lazyOf,
  list,
  map,
  omissible,
  open,
  openRegistry,
  option,
  recursive,
  refine,
  type Schema,
  string,
  struct,
  u8,
  u16,
  u32,
  unitEnum,
  varint,
  Writer,
  withDefaults,
} from '../../../src/codec/index.js'

const point = struct('Point', { xPos: varint, label: option(string(8)) })
const hexOf = <T>(schema: Schema<T>, value: T): string => schema.encode(value).toString('hex')

describe('struct', () => {
  test('infers its types from the declaration', () => {
    const value: Infer<typeof point> = { xPos: 1, label: undefined }
    expect(hexOf(point, value)).toBe('0100')
    // @ts-expect-error: an optional field is a required key
    const missing: Infer<typeof point> = { xPos: 1 }
    expect(hexOf(point, missing)).toBe('0100')
  })

  test('decodes JSON with absent options, and reports unknown, missing and duplicate fields with their positions', () => {
    expect(point.toJson({ xPos: 1, label: undefined })).toEqual({ x_pos: 1, label: null })
    expect(point.fromJson({ x_pos: 1 })).toEqual({ ok: true, value: { xPos: 1, label: undefined } })
    expect(point.parseJson('{\n  "x_pos": 1,\n  "lable": "a"\n}')).toMatchObject({
      fault: { code: 'unknown_field', path: 'lable', line: 3, column: 3 },
    })
    expect(point.parseJson(' {"label": "a"}')).toMatchObject({
      fault: { code: 'missing_field', path: 'x_pos', line: 1, column: 2 },
    })
    expect(point.parseJson('{"x_pos": 1,\n "x_pos": 2}')).toMatchObject({
      fault: { code: 'duplicate_field', line: 2, column: 2 },
    })
    const lines = list(point, 4)
    expect(lines.parseJson('[{"x_pos": 1},\n {"x_pos": -2}]')).toMatchObject({
      fault: { code: 'out_of_bounds', path: '[1].x_pos', line: 2, column: 12 },
    })
  })

  test('uses the given JSON names, and has the same bytes and hash as without them', () => {
    const plain = struct('Sent', { sentAt: u8, byWhom: u8 })
    const named = struct('Sent', { sentAt: u8, byWhom: u8 }, { sentAt: 'sentAt' })
    const value = { sentAt: 1, byWhom: 2 }
    expect(named.toJson(value)).toEqual({ sentAt: 1, by_whom: 2 })
    expect(named.fromJson({ sentAt: 1, by_whom: 2 })).toEqual({ ok: true, value })
    expect(named.fromJson({ sent_at: 1, by_whom: 2 })).toMatchObject({ fault: { code: 'unknown_field' } })
    expect(named.hash).toEqual(plain.hash)
    expect(named.encode(value)).toEqual(plain.encode(value))
    expect(() => struct('Sent', { sentAt: u8, byWhom: u8 }, { sentAt: 'by_whom' })).toThrow('one JSON name')
  })

  test('reports faults in bytes with offset and path', () => {
    const outer = struct('Outer', { points: list(point, 4), last: u8 })
    expect(outer.decode(Buffer.from('0201000702', 'hex'))).toMatchObject({
      fault: { code: 'bad_tag', at: 4, path: 'points[1].label' },
    })
  })

  test('throws for a value outside of the schema, with its path', () => {
    const outer = struct('Outer', { points: list(point, 4) })
    expect(() => outer.encode({ points: [{ xPos: 1, label: 'far too long' }] })).toThrow(
      'cannot encode Outer at points[0].label',
    )
    expect(() => outer.encode(undefined as never)).toThrow('expected Outer')
  })

  test('refuses a declaration with names that are unsafe in generated code', () => {
    expect(() => struct('Bad', { 'a-b': u8 })).toThrow('camelCase')
    expect(() => struct('Bad', { __proto__x: u8 })).toThrow('camelCase')
    expect(() => struct('Bad name', { a: u8 })).toThrow('letters and digits')
  })
})

describe('option and list', () => {
  test('an omissible field has the bytes of an option, and JSON may omit it', () => {
    const plain = struct('Shown', { note: option(u8) })
    const quiet = struct('Shown', { note: omissible(u8) })
    expect(quiet.hash).toEqual(plain.hash)
    for (const value of [{ note: 7 }, { note: undefined }]) expect(quiet.encode(value)).toEqual(plain.encode(value))
    expect([plain, quiet].map((one) => one.toJson({ note: undefined }))).toEqual([{ note: null }, {}])
    expect(quiet.toJson({ note: 7 })).toEqual({ note: 7 })
    const written: readonly Json[] = [{}, { note: null }]
    for (const one of written) expect(quiet.fromJson(one)).toEqual({ ok: true, value: { note: undefined } })
  })

  test('a record with defaults has the same bytes as without them, and JSON may omit fields with defaults', () => {
    const plain = struct('Window', { from: u8, size: u8 })
    const lenient = withDefaults(plain, { size: 7 })
    expect(lenient.encode({ from: 1, size: 2 })).toEqual(plain.encode({ from: 1, size: 2 }))
    expect(lenient.fromJson({ from: 1 })).toEqual({ ok: true, value: { from: 1, size: 7 } })
    expect(lenient.fromJson({ from: 1, size: 2 })).toEqual({ ok: true, value: { from: 1, size: 2 } })
    expect(lenient.toJson({ from: 1, size: 7 })).toEqual({ from: 1, size: 7 })
    for (const wrong of [{}, { from: 1, more: 2 }, [1], null, 7] as readonly Json[]) {
      expect(lenient.fromJson(wrong).ok, JSON.stringify(wrong)).toBe(false)
    }
  })

  test('an option of a nullable type is refused, because its JSON would be ambiguous', () => {
    expect(() => option(option(u8))).toThrow('null')
    expect(() => option(json(10, 1))).toThrow('null')
  })

  test('counts are checked before anything is allocated', () => {
    const big = list(bytesN(32), Number.MAX_SAFE_INTEGER)
    expect(big.decode(Buffer.from('ffffffffffffff0f', 'hex'))).toMatchObject({ fault: { code: 'truncated', at: 0 } })
    expect(() => list(struct('Empty', {}), 5)).toThrow('at least one byte')
    expect(() => list(u8, 1).encode([1, 2])).toThrow('at most 1 items')
  })
})

describe('map', () => {
  const ages = map(string(16), u8, 5)
  test('is written in the order of its encoded keys, whatever its insertion order', () => {
    const expected = '03016101016202026161 03'.replaceAll(' ', '')
    expect(
      hexOf(
        ages,
        new Map([
          ['aa', 3],
          ['b', 2],
          ['a', 1],
        ]),
      ),
    ).toBe(expected)
    expect(
      hexOf(
        ages,
        new Map([
          ['a', 1],
          ['b', 2],
          ['aa', 3],
        ]),
      ),
    ).toBe(expected)
    const decoded = ages.fromJson({ aa: 3, b: 2, a: 1 })
    expect(decoded.ok && [...decoded.value.keys()]).toEqual(['a', 'b', 'aa'])
    expect(
      Object.keys(
        ages.toJson(
          new Map([
            ['aa', 3],
            ['a', 1],
          ]),
        ) as object,
      ),
    ).toEqual(['a', 'aa'])
  })

  test('refuses unsorted and duplicate keys', () => {
    expect(ages.decode(Buffer.from('02016201016102', 'hex'))).toMatchObject({ fault: { code: 'non_canonical', at: 4 } })
    expect(ages.check(Buffer.from('02016101016101', 'hex'))).toMatchObject({ code: 'non_canonical', at: 4 })
    expect(
      map(u8, u8, 4).fromJson([
        [1, 1],
        [1, 2],
      ]),
    ).toMatchObject({ fault: { code: 'duplicate_field' } })
    expect(map(u8, u8, 4).fromJson([[1]])).toMatchObject({ fault: { code: 'bad_value', path: '[0]' } })
  })
})

describe('enums', () => {
  const shape = enumOf('Shape', { empty: [0, undefined], circle: [3, u16] })
  test('are dispatched by tag to {kind, value}', () => {
    expect(hexOf(shape, { kind: 'circle', value: 258 })).toBe('030201')
    expect(shape.decode(Buffer.from('00', 'hex'))).toEqual({ ok: true, value: { kind: 'empty', value: undefined } })
    expect(shape.toJson({ kind: 'circle', value: 1 })).toEqual({ Circle: 1 })
    expect(shape.toJson({ kind: 'empty', value: undefined })).toBe('Empty')
    const refused: Json[] = ['Circle', { Empty: null }, { Circle: 1, Empty: 2 }, {}, 5]
    for (const bad of refused) {
      expect(shape.fromJson(bad)).toMatchObject({ fault: { code: 'bad_value' } })
    }
    expect(shape.fromJson('Square')).toMatchObject({ fault: { code: 'bad_tag' } })
    expect(() => shape.encode({ kind: 'square' } as never)).toThrow('a variant of Shape')
  })

  test('names and tags must be distinct', () => {
    expect(() => unitEnum('Bad', { a: 1, b: 1 })).toThrow('already used')
    expect(() => unitEnum('Bad', { a: -1 })).toThrow('tag')
    expect(() => unitEnum('Bad', {})).toThrow('at least one')
  })
})

describe('open enums', () => {
  const registry = openRegistry('thing', [
    { id: 5, kind: 'flag', schema: bool },
    { id: 6, kind: 'nested', schema: open('thing') },
  ])
  const ctx: CodecContext = { registries: { thing: registry } }
  const thing = open('thing')

  test('are resolved by the registry of the context', () => {
    expect(thing.encode({ kind: 'flag', value: true }, ctx).toString('hex')).toBe('050101')
    expect(thing.decode(Buffer.from('050101', 'hex'), ctx)).toEqual({ ok: true, value: { kind: 'flag', value: true } })
    expect(thing.fromJson({ Flag: true }, ctx)).toEqual({ ok: true, value: { kind: 'flag', value: true } })
    expect(thing.decode(Buffer.from('0700', 'hex'), ctx)).toMatchObject({ fault: { code: 'unknown_instruction' } })
    expect(thing.fromJson({ flag: true }, ctx)).toMatchObject({ fault: { code: 'unknown_instruction' } })
    expect(() => thing.encode({ kind: 'other', value: 1 }, ctx)).toThrow('a kind of the registry thing')
    expect(() => thing.decode(Buffer.from('0501', 'hex'))).toThrow('no registry "thing"')
  })

  test('a body is confined to its length', () => {
    expect(thing.decode(Buffer.from('05020100', 'hex'), ctx)).toMatchObject({ fault: { code: 'trailing_bytes' } })
    expect(list(thing, 2).decode(Buffer.from('0205000501 01'.replace(' ', ''), 'hex'), ctx)).toMatchObject({
      fault: { code: 'truncated' },
    })
  })

  test('the length of a long body uses more bytes', () => {
    const texts = openRegistry('thing', [{ id: 1, kind: 'text', schema: string(3_000_000) }])
    for (const size of [120, 125, 126, 127, 128, 16_380, 16_384, 2_097_150, 2_097_152]) {
      const value = { kind: 'text', value: 'x'.repeat(size) }
      const context = { registries: { thing: texts } }
      expect(thing.decode(thing.encode(value, context), context)).toEqual({ ok: true, value })
    }
  })

  test('depth is bounded equally when writing, reading and checking, in both forms', () => {
    const nest = (levels: number) => {
      let value: { kind: string; value: unknown } = { kind: 'flag', value: true }
      for (let i = 1; i < levels; i++) value = { kind: 'nested', value }
      return value
    }
    const bytes = thing.encode(nest(32), ctx)
    expect(thing.check(bytes, ctx)).toBeUndefined()
    expect(thing.check(bytes, ctx, { maxDepth: 31 })).toMatchObject({ code: 'too_deep' })
    expect(thing.fromJson(thing.toJson(nest(32), ctx), ctx).ok).toBe(true)
    expect(() => thing.encode(nest(33), ctx)).toThrow('32 levels')
    expect(thing.fromJson(thing.toJson(nest(33), ctx), ctx)).toMatchObject({ fault: { code: 'too_deep' } })
    expect(thing.parseJson(`${'{"Nested":'.repeat(300)}1${'}'.repeat(300)}`, ctx)).toMatchObject({
      fault: { code: 'too_deep' },
    })
  })

  test('registries refuse collisions', () => {
    expect(() =>
      openRegistry('r', [
        { id: 1, kind: 'a', schema: u8 },
        { id: 1, kind: 'b', schema: u8 },
      ]),
    ).toThrow('collides')
    expect(() =>
      openRegistry('r', [
        { id: 1, kind: 'a', schema: u8 },
        { id: 2, kind: 'a', schema: u8 },
      ]),
    ).toThrow('collides')
  })
})

describe('recursion and refinement', () => {
  interface Node {
    readonly children: readonly Node[]
  }
  const node: Schema<Node> = struct('Node', {
    children: list(
      recursive('Node', (): Schema<Node> => node),
      2,
    ),
  })
  const chain = (levels: number): Node => ({ children: levels === 0 ? [] : [chain(levels - 1)] })

  test('bound the depth of a value', () => {
    expect(node.decode(node.encode(chain(32)))).toEqual({ ok: true, value: chain(32) })
    expect(() => node.encode(chain(33))).toThrow('32 levels')
    expect(node.decode(Buffer.from(`${'01'.repeat(33)}00`, 'hex'))).toMatchObject({ fault: { code: 'too_deep' } })
    expect(node.describe()).toBe('Node\nNode = struct { children: list(rec(Node), 2) }\n')
    expect(() => recursive('Other', () => node).encode(chain(0))).toThrow('refers to Node')
  })

  test('apply a rule to a value', () => {
    const even = refine(u8, 'Even', (value) => (value % 2 === 0 ? undefined : 'odd'))
    expect(even.check(Buffer.of(3))).toMatchObject({ code: 'bad_value', message: 'odd', at: 0 })
    expect(() => even.encode(3)).toThrow('odd')
    expect(even.fromJson(3)).toMatchObject({ fault: { code: 'bad_value' } })
    expect(() => refine(point, 'Point', () => undefined)).toThrow('needs its own name')
  })
})

describe('lazy', () => {
  const envelope = struct('Envelope', { body: lazy(point), tail: u8 })
  test('is validated when read and decoded on demand', () => {
    const handle = lazyOf(point, { xPos: 5, label: 'a' })
    const bytes = envelope.encode({ body: handle, tail: 1 })
    const decoded = envelope.decode(bytes)
    if (!decoded.ok) throw new Error(decoded.fault.message)
    expect(Buffer.from(decoded.value.body.bytes)).toEqual(point.encode({ xPos: 5, label: 'a' }))
    expect(decoded.value.body.bytes.buffer).toBe(bytes.buffer)
    const { value } = decoded.value.body
    expect(value).toEqual({ xPos: 5, label: 'a' })
    expect(decoded.value.body.value).toBe(value)
    expect(envelope.decode(Buffer.from('02050201', 'hex'))).toMatchObject({
      fault: { code: 'bad_tag', path: 'body.label' },
    })
    expect(envelope.decode(Buffer.from('0305000001', 'hex'))).toMatchObject({ fault: { code: 'trailing_bytes' } })
  })

  test('creates handles from a schema', () => {
    expect(lazyFromBytes(point, Buffer.of(5, 0)).ok).toBe(true)
    expect(lazyFromBytes(point, Buffer.of(5))).toMatchObject({ fault: { code: 'truncated' } })
    expect(() =>
      envelope.encode({
        body: { bytes: Buffer.of(5, 0), value: { xPos: 5, label: undefined }, jsonWeight: 0 },
        tail: 1,
      }),
    ).toThrow('lazyOf')
    expect(() => envelope.encode({ body: lazyOf(u8, 1) as never, tail: 1 })).toThrow('lazyOf')
    const json = envelope.toJson({ body: lazyOf(point, { xPos: 5, label: undefined }), tail: 1 })
    expect(json).toEqual({ body: { x_pos: 5, label: null }, tail: 1 })
    const back = envelope.fromJson(json)
    expect(back.ok && back.value.body.value).toEqual({ xPos: 5, label: undefined })
  })
})

describe('Writer and Reader', () => {
  test('can be used by other layers', () => {
    const writer = new Writer(4)
    point.write(writer, { xPos: 300, label: 'abc' })
    writer.u32(7)
    const bytes = writer.toBytes()
    expect(bytes.toString('hex')).toBe('ac02010361626307000000')
    expect(decodeWith(bytes, (reader) => [point.read(reader), reader.u32()])).toEqual({
      ok: true,
      value: [{ xPos: 300, label: 'abc' }, 7],
    })
    expect(decodeWith(bytes, (reader) => point.read(reader))).toMatchObject({
      fault: { code: 'trailing_bytes', at: 7 },
    })
    expect(() => point.write(writer, { xPos: -1, label: undefined })).toThrow('cannot encode Point at xPos')
  })

  test('enforce size limits before anything is read', () => {
    expect(point.decode(Buffer.of(1, 0), undefined, { maxBytes: 1 })).toMatchObject({
      fault: { code: 'out_of_bounds' },
    })
    expect(point.check(Buffer.of(1, 0), undefined, { maxBytes: 1 })).toMatchObject({ code: 'out_of_bounds' })
    expect(point.parseJson('{"x_pos": 1}', undefined, { maxBytes: 5 })).toMatchObject({
      fault: { code: 'out_of_bounds' },
    })
  })

  test('can be used by rules', () => {
    const outer = refine(struct('Pair', { a: point, b: point }), 'Distinct', ({ a, b }) =>
      point.encode(a).equals(point.encode(b)) || point.check(point.encode(b)) !== undefined ? 'equal' : undefined,
    )
    const bytes = outer.encode({ a: { xPos: 1, label: undefined }, b: { xPos: 2, label: 'b' } })
    expect(outer.check(bytes)).toBeUndefined()
    expect(outer.decode(bytes).ok).toBe(true)
  })
})

describe('bounded', () => {
  const words = struct('Words', { before: u8, words: bounded(map(string(8), string(64), 8), 16), after: u32 })
  const wordsOf = (size: number) => ({ before: 1, words: new Map([['k', 'x'.repeat(size)]]), after: 2 })

  test('accepts values up to its bound, and refuses larger values', () => {
    const bytes = words.encode(wordsOf(12))
    expect(words.decode(bytes)).toEqual({ ok: true, value: wordsOf(12) })
    expect(words.maxSize).toBe(1 + 16 + 4)
    expect(() => words.encode(wordsOf(13))).toThrow('more than 16 bytes')
    expect(words.fromJson({ before: 1, words: { k: 'x'.repeat(13) }, after: 2 })).toMatchObject({
      fault: { code: 'out_of_bounds', path: 'words' },
    })
  })

  test('does not read beyond its bound', () => {
    const free = struct('Words', { before: u8, words: map(string(8), string(64), 8), after: u32 })
    const bytes = free.encode(wordsOf(13))
    expect(words.decode(bytes)).toMatchObject({ fault: { code: 'out_of_bounds', path: 'words', at: 1 } })
    expect(words.check(bytes)).toMatchObject({ code: 'out_of_bounds' })
    // Bytes that are missing for another reason are still `truncated`.
    expect(words.decode(free.encode(wordsOf(3)).subarray(0, 5))).toMatchObject({ fault: { code: 'truncated' } })
  })
})
