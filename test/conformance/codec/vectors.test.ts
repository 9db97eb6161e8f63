/** Owns the check of the codec and of a second one against the pinned vectors. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../src/codec/index.js'
import { hash } from '../../../src/crypto/hash.js'
import { parseDescription } from './description.js'
import { type Environment, Refusal, SecondCodec, taggedHash } from './second-codec.js'
import { context, KEY_PREFIX, RULES, registry, VECTOR_TYPES } from './vector-types.js'

interface Shared {
  readonly key_prefix: string
  readonly rules: Record<string, string>
  readonly registries: Record<string, { id: number; kind: string; type: string }[]>
}
interface Valid extends Shared {
  readonly vectors: { name: string; type: string; json: Json; hex: string; schema_hash: string; hash: string }[]
}
interface Invalid extends Shared {
  readonly vectors: { name: string; type: string; hex: string; error: string }[]
}

const VALID = new URL('../../vectors/codec.json', import.meta.url)
const INVALID = new URL('../../vectors/codec-invalid.json', import.meta.url)

/** Vectors are pinned: this runs by hand, when a type of them is added. */
function writeVectors(): void {
  const shared: Shared = {
    key_prefix: KEY_PREFIX,
    rules: RULES,
    registries: {
      instruction: registry.entries.map(({ id, kind, schema }) => ({ id, kind, type: schema.describe() })),
    },
  }
  const valid: Valid = {
    ...shared,
    vectors: VECTOR_TYPES.flatMap(({ name, schema, values }) =>
      values.map((value) => {
        const parsed = schema.fromJson(value, context)
        if (!parsed.ok) throw new Error(`${name}: ${parsed.fault.message}`)
        const bytes = schema.encode(parsed.value, context)
        return {
          name,
          type: schema.describe(),
          json: value,
          hex: bytes.toString('hex'),
          schema_hash: schema.hash.toString('hex'),
          hash: hash('vector', bytes).toString('hex'),
        }
      }),
    ),
  }
  const invalid: Invalid = {
    ...shared,
    vectors: VECTOR_TYPES.flatMap(({ name, schema, refused }) =>
      refused.map(([hex, error]) => ({ name, type: schema.describe(), hex, error })),
    ),
  }
  writeFileSync(VALID, `${JSON.stringify(valid, null, 1)}\n`)
  writeFileSync(INVALID, `${JSON.stringify(invalid, null, 1)}\n`)
}
if (process.env['WRITE_CODEC_VECTORS'] === '1') writeVectors()

const valid = JSON.parse(readFileSync(VALID, 'utf8')) as Valid
const invalid = JSON.parse(readFileSync(INVALID, 'utf8')) as Invalid
const schemaOf = (name: string) => VECTOR_TYPES.find((type) => type.name === name)!.schema
const environment: Environment = {
  keyPrefix: valid.key_prefix,
  rules: Object.fromEntries(Object.entries(valid.rules).map(([name, rule]) => [name, new RegExp(rule)])),
  registries: Object.fromEntries(
    Object.entries(valid.registries).map(([name, entries]) => [
      name,
      entries.map(({ id, kind, type }) => ({ id, kind, type: parseDescription(type) })),
    ]),
  ),
}
const bytesOf = (hex: string): number[] => [...Buffer.from(hex, 'hex')]

describe('values', () => {
  test.each(valid.vectors.map((vector, i) => ({ ...vector, i })))('$name $i $hex', (vector) => {
    const schema = schemaOf(vector.name)
    expect(schema.describe()).toBe(vector.type)
    expect(schema.hash.toString('hex')).toBe(vector.schema_hash)

    const parsed = schema.parseJson(JSON.stringify(vector.json), context)
    expect(parsed).toMatchObject({ ok: true })
    if (!parsed.ok) return
    expect(schema.encode(parsed.value, context).toString('hex')).toBe(vector.hex)

    const bytes = Buffer.from(vector.hex, 'hex')
    expect(schema.check(bytes, context)).toBeUndefined()
    const decoded = schema.decode(bytes, context)
    expect(decoded).toMatchObject({ ok: true })
    if (!decoded.ok) return
    expect(schema.encode(decoded.value, context)).toEqual(bytes)
    expect(
      schema.encode(schemaValue(schema.fromJson(schema.toJson(decoded.value, context), context)), context),
    ).toEqual(bytes)
    expect(hash('vector', bytes).toString('hex')).toBe(vector.hash)
  })

  test.each(valid.vectors.map((vector, i) => ({ ...vector, i })))('second codec: $name $i', (vector) => {
    const second = new SecondCodec(parseDescription(vector.type), environment)
    expect(Buffer.from(second.encode(vector.json)).toString('hex')).toBe(vector.hex)
    const jsonForm = second.decode(bytesOf(vector.hex))
    expect(jsonForm).toEqual(
      schemaOf(vector.name).toJson(
        schemaValue(schemaOf(vector.name).decode(Buffer.from(vector.hex, 'hex'), context)),
        context,
      ),
    )
    expect(taggedHash('schema', [...Buffer.from(vector.type)], 16)).toBe(vector.schema_hash)
    expect(taggedHash('vector', bytesOf(vector.hex))).toBe(vector.hash)
  })
})

describe('refusals', () => {
  test.each(invalid.vectors)('$name $hex: $error', (vector) => {
    const schema = schemaOf(vector.name)
    const bytes = Buffer.from(vector.hex, 'hex')
    expect(schema.decode(bytes, context)).toMatchObject({ ok: false, fault: { code: vector.error } })
    expect(schema.check(bytes, context)).toMatchObject({ code: vector.error })
    const second = new SecondCodec(parseDescription(vector.type), environment)
    expect(() => second.decode([...bytes])).toThrow(new Refusal(vector.error))
  })
})

test('every declared value and refusal has a vector', () => {
  const names = VECTOR_TYPES.flatMap(({ name, values }) => values.map(() => name))
  expect(valid.vectors.map(({ name }) => name)).toEqual(names)
  expect(invalid.vectors.length).toBe(VECTOR_TYPES.reduce((sum, { refused }) => sum + refused.length, 0))
  expect(invalid.registries).toEqual(valid.registries)
})

// biome-ignore lint/suspicious/noExplicitAny: values of any type
function schemaValue(decoded: { ok: boolean; value?: any }): any {
  expect(decoded.ok).toBe(true)
  return decoded.value
}
