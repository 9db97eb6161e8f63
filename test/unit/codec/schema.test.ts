/** Owns the tests of descriptions, schema hashes, JSON Schemas and the strict JSON reader. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  binaryKey,
  bytesN,
  enumOf,
  jsonSchemaRefs,
  lazy,
  list,
  map,
  open,
  openRegistry,
  option,
  recursive,
  type Schema,
  string,
  struct,
  text,
  u8,
  u16,
  unitEnum,
} from '../../../src/codec/index.js'

describe('description', () => {
  const account = binaryKey(40, { name: 'AccountId', toText: String, fromText: String })
  const note = struct('Note', { author: account, text: option(string(280)) })
  const signed = struct('SignedTransaction', { note: lazy(note), signature: bytesN(64) })

  test('matches the reference page, with a pinned hash', () => {
    const page = readFileSync(new URL('../../../docs/reference/codec.md', import.meta.url), 'utf8')
    expect(page).toContain(`\`\`\`text\n${signed.describe()}\`\`\``)
    expect(signed.hash.toString('hex')).toBe('664f71c14051e1473232f452548e9a55')
    expect(signed.hash).toHaveLength(16)
  })

  test('two types with one name are refused', () => {
    const other = struct('Note', { author: u8 })
    expect(() => struct('Both', { a: note, b: other }).describe()).toThrow('two schemas are named Note')
    const same = struct('Note', { author: account, text: option(string(280)) })
    expect(struct('Both', { a: note, b: same }).describe()).toContain('Both = struct { a: Note, b: Note }')
  })

  test('an open enum contains only the name of its registry', () => {
    expect(list(open('instruction'), 4).describe()).toBe('list(open(instruction), 4)\n')
  })
})

describe('JSON Schema', () => {
  test('named types become components', () => {
    interface Tree {
      readonly level: 'low' | 'high'
      readonly children: readonly Tree[]
    }
    const level = unitEnum('Level', { low: 0, high: 1 })
    const tree: Schema<Tree> = struct('Tree', {
      level,
      children: list(
        recursive('Tree', (): Schema<Tree> => tree),
        4,
      ),
    })
    const shape = enumOf('Shape', { empty: [0, undefined], sized: [1, tree] })
    const root = struct('Root', {
      shapeOf: option(shape),
      names: map(
        text('Name', 8, () => undefined, '^[a-z]+$'),
        u8,
        3,
      ),
      pairs: map(u16, u8, 3),
      thing: open('thing'),
    })
    const refs = jsonSchemaRefs({ thing: openRegistry('thing', [{ id: 1, kind: 'doIt', schema: level }]) })
    expect(root.jsonSchema(refs)).toEqual({ $ref: '#/components/schemas/Root' })
    expect(Object.fromEntries(refs.components)).toEqual({
      Root: {
        type: 'object',
        properties: {
          shape_of: { anyOf: [{ $ref: '#/components/schemas/Shape' }, { type: 'null' }] },
          names: {
            type: 'object',
            propertyNames: { $ref: '#/components/schemas/Name' },
            additionalProperties: { type: 'integer', minimum: 0, maximum: 255 },
            maxProperties: 3,
          },
          pairs: {
            type: 'array',
            maxItems: 3,
            items: {
              type: 'array',
              prefixItems: [
                { type: 'integer', minimum: 0, maximum: 65535 },
                { type: 'integer', minimum: 0, maximum: 255 },
              ],
              minItems: 2,
              maxItems: 2,
            },
          },
          thing: { $ref: '#/components/schemas/Thing' },
        },
        required: ['names', 'pairs', 'thing'],
        additionalProperties: false,
      },
      Shape: {
        oneOf: [
          { type: 'string', enum: ['Empty'] },
          {
            type: 'object',
            properties: { Sized: { $ref: '#/components/schemas/Tree' } },
            required: ['Sized'],
            additionalProperties: false,
          },
        ],
      },
      Tree: {
        type: 'object',
        properties: {
          level: { $ref: '#/components/schemas/Level' },
          children: { type: 'array', items: { $ref: '#/components/schemas/Tree' }, maxItems: 4 },
        },
        required: ['level', 'children'],
        additionalProperties: false,
      },
      Level: { type: 'string', enum: ['Low', 'High'] },
      Name: { type: 'string', maxLength: 8, pattern: '^[a-z]+$' },
      Thing: {
        oneOf: [
          {
            type: 'object',
            properties: { DoIt: { $ref: '#/components/schemas/Level' } },
            required: ['DoIt'],
            additionalProperties: false,
          },
        ],
      },
    })
  })
})

describe('JSON text', () => {
  const items = list(string(10), 3)
  test.each([
    ['', 'malformed_json', 1, 1],
    ['["a"', 'malformed_json', 1, 5],
    ['["a",]', 'malformed_json', 1, 6],
    ['["a"] x', 'malformed_json', 1, 7],
    ['[\n"a\u0001"]', 'malformed_json', 2, 3],
    ['["\\x"]', 'malformed_json', 1, 3],
    ['["\\u00g0"]', 'malformed_json', 1, 3],
    ["['a']", 'malformed_json', 1, 2],
    ['[01]', 'malformed_json', 1, 3],
    ['[+1]', 'malformed_json', 1, 2],
    ['[NaN]', 'malformed_json', 1, 2],
    ['\ufeff[]', 'malformed_json', 1, 1],
    ['["a", "\\udc00"]', 'bad_utf8', 1, 7],
    ['["a", 5]', 'bad_value', 1, 7],
    ['["a","b","c","d"]', 'out_of_bounds', 1, 1],
    ['{}', 'bad_value', 1, 1],
  ])('%j is refused: %s at %d:%d', (input, code, line, column) => {
    expect(items.parseJson(input)).toMatchObject({ ok: false, fault: { code, line, column } })
  })

  test('accepts escapes and white space', () => {
    expect(items.parseJson(' [ "\\u20ac\\n" ,\r\n\t"\\ud83d\\ude00\\/" ] ')).toEqual({
      ok: true,
      value: ['\u20ac\n', '\u{1f600}/'],
    })
    expect(items.parseJson(Buffer.from('["\u20ac"]'))).toEqual({ ok: true, value: ['\u20ac'] })
    expect(items.parseJson(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({ fault: { code: 'bad_utf8', at: 1 } })
  })
})
