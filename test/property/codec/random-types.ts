/** Owns random types of the codec and random values of them. */
import fc from 'fast-check'
import {
  binaryKey,
  bool,
  bytes,
  bytesN,
  type CodecContext,
  enumOf,
  hex,
  json,
  lazy,
  lazyOf,
  list,
  map,
  normalizeNumeric,
  numeric,
  open,
  openRegistry,
  option,
  refine,
  type Schema,
  string,
  struct,
  text,
  u8,
  u16,
  u32,
  u64,
  unitEnum,
  varint,
  varintBig,
} from '../../../src/codec/index.js'

// Types of any value: what this file is about.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Any = any

/** A schema with values of it. */
export interface Made {
  readonly schema: Schema<Any>
  readonly values: fc.Arbitrary<Any>
}

/** A type as data, so that it can be made more than once. */
export interface RandomType {
  /** Makes the schema; `path` makes the names in it distinct. */
  readonly make: (path: string) => Made
  readonly key?: boolean
  readonly nullable?: boolean
  readonly label: string
}

const openEntries = [
  { id: 1, kind: 'ping', schema: struct('Ping', {}) },
  { id: 200, kind: 'note', schema: struct('Note', { text: string(40), amount: numeric }) },
]
export const context: CodecContext = { registries: { thing: openRegistry('thing', openEntries) } }

const leaf = (
  label: string,
  schema: (path: string) => Schema<Any>,
  values: fc.Arbitrary<Any>,
  extra: Partial<RandomType> = {},
): RandomType => ({ make: (path) => ({ schema: schema(path), values }), label, ...extra })

const bufferOf = (min: number, max: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ minLength: min, maxLength: max }).map((array) => Buffer.from(array))
const wellFormedText = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.string({ maxLength: 60 }))
const numericValue = fc
  .tuple(fc.oneof(fc.bigInt(-1000n, 1000n), fc.bigInt(-(2n ** 511n), 2n ** 511n - 1n)), fc.nat(28))
  .map(([mantissa, scale]) => normalizeNumeric({ mantissa, scale }))
const jsonLeaf = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.maxSafeInteger().map((n) => n + 0),
  wellFormedText,
)
const jsonValue = fc.letrec<{ value: Any }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    jsonLeaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(wellFormedText, tie('value'), { maxKeys: 3 }),
  ),
})).value
const smallInt = (max: number): fc.Arbitrary<number> =>
  fc.oneof(fc.nat(Math.min(max, 300)), fc.integer({ min: 0, max }))
const keyText = (value: string): string => Buffer.from(value, 'latin1').toString('hex')
const keyOf = (path: string, exactBytes?: number): Schema<string> =>
  binaryKey(10, {
    name: `K${path}`,
    ...(exactBytes === undefined ? {} : { exactBytes }),
    validate: (value) => (value.charCodeAt(0) === 0xff ? 'reserved' : undefined),
    toText: keyText,
    fromText: (value) => (/^([0-9a-f]{2})*$/.test(value) ? Buffer.from(value, 'hex').toString('latin1') : undefined),
  })
const latin1Value = (min: number, max: number): fc.Arbitrary<string> =>
  bufferOf(min, max)
    .map((buffer) => buffer.toString('latin1'))
    .filter((value) => value.charCodeAt(0) !== 0xff)

const leaves: readonly RandomType[] = [
  leaf('u8', () => u8, smallInt(0xff), { key: true }),
  leaf('u16', () => u16, smallInt(0xffff), { key: true }),
  leaf('u32', () => u32, smallInt(0xffff_ffff), { key: true }),
  leaf('u64', () => u64, fc.bigInt(0n, 2n ** 64n - 1n), { key: true }),
  leaf('varint', () => varint, smallInt(Number.MAX_SAFE_INTEGER), { key: true }),
  leaf('varintBig', () => varintBig, fc.bigInt(0n, 2n ** 64n - 1n), { key: true }),
  leaf('bool', () => bool, fc.boolean(), { key: true }),
  leaf('bytes', () => bytes(200), bufferOf(0, 200)),
  leaf('hex', () => hex(20), bufferOf(0, 20)),
  leaf('bytesN', () => bytesN(5), bufferOf(5, 5)),
  leaf('string', () => string(400), wellFormedText, { key: true }),
  leaf(
    'text',
    (path) => text(`T${path}`, 8, (value) => (value.includes('!') ? 'no !' : undefined)),
    fc.stringMatching(/^[a-z\u00e9]{0,4}$/),
    { key: true },
  ),
  leaf('key', (path) => keyOf(path), latin1Value(0, 10), { key: true }),
  leaf('keyN', (path) => keyOf(path, 4), latin1Value(4, 4), { key: true }),
  leaf('numeric', () => numeric, numericValue),
  leaf('json', () => json(2000, 3), jsonValue, { nullable: true }),
  leaf(
    'unitEnum',
    (path) => unitEnum(`U${path}`, { first: 0, secondOne: 5, last: 200 }),
    fc.constantFrom('first', 'secondOne', 'last'),
    { key: true },
  ),
  leaf(
    'refine',
    (path) => refine(varint, `R${path}`, (value) => (value % 3 === 0 ? undefined : 'not a multiple of 3')),
    fc.nat(1000).map((n) => 3 * n),
    { key: true },
  ),
  leaf(
    'open',
    () => open('thing'),
    fc.oneof(
      fc.constant({ kind: 'ping', value: {} }),
      fc.record({ text: fc.string({ maxLength: 10 }), amount: numericValue }).map((value) => ({ kind: 'note', value })),
    ),
  ),
]

const FIELDS = ['alpha', 'betaGamma', 'class', 'constructor', 'aB2']

const optionOf = (inner: RandomType): RandomType => ({
  make: (path) => {
    const { schema, values } = inner.make(`${path}o`)
    return { schema: option(schema), values: fc.option(values, { nil: undefined }) }
  },
  nullable: true,
  label: `option(${inner.label})`,
})

const listOf = (inner: RandomType): RandomType => ({
  make: (path) => {
    const { schema, values } = inner.make(`${path}l`)
    return { schema: list(schema, 5), values: fc.array(values, { maxLength: 4 }) }
  },
  label: `list(${inner.label})`,
})

const mapOf = (key: RandomType, value: RandomType): RandomType => ({
  make: (path) => {
    const keys = key.make(`${path}k`)
    const items = value.make(`${path}v`)
    const pairs = fc.array(fc.tuple(keys.values, items.values), { maxLength: 4 })
    return { schema: map(keys.schema, items.schema, 5), values: pairs.map((entries) => new Map(entries)) }
  },
  label: `map(${key.label}, ${value.label})`,
})

const lazyType = (inner: RandomType): RandomType => ({
  make: (path) => {
    const { schema, values } = inner.make(`${path}z`)
    return { schema: lazy(schema), values: values.map((value) => lazyOf(schema, value, context)) }
  },
  nullable: inner.nullable ?? false,
  label: `lazy(${inner.label})`,
})

const structOf = (types: readonly RandomType[]): RandomType => ({
  make: (path) => {
    const fields = types.map((type, i) => [FIELDS[i]!, type.make(`${path}${i}`)] as const)
    return {
      schema: struct(`S${path}`, Object.fromEntries(fields.map(([name, { schema }]) => [name, schema]))),
      values: fc.record(Object.fromEntries(fields.map(([name, { values }]) => [name, values]))),
    }
  },
  label: `struct(${types.map((type) => type.label).join(', ')})`,
})

const enumType = (types: readonly (RandomType | undefined)[]): RandomType => ({
  make: (path) => {
    const variants = types.map((type, i) => [FIELDS[i]!, i * 70, type?.make(`${path}${i}`)] as const)
    return {
      schema: enumOf(
        `E${path}`,
        Object.fromEntries(variants.map(([kind, tag, made]) => [kind, [tag, made?.schema] as const])),
      ),
      values: fc.oneof(
        ...variants.map(([kind, , made]) =>
          (made?.values ?? fc.constant(undefined)).map((value: Any) => ({ kind, value })),
        ),
      ),
    }
  },
  label: `enum(${types.map((type) => type?.label ?? 'unit').join(', ')})`,
})

const leafType = fc.constantFrom(...leaves)
const keyType = fc.constantFrom(...leaves.filter((type) => type.key))

/** Random types, up to four levels. */
export const randomType: fc.Arbitrary<RandomType> = fc.letrec<{ type: RandomType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leafType,
    tie('type').map((inner) => (inner.nullable ? inner : optionOf(inner))),
    tie('type').map(listOf),
    fc.tuple(keyType, tie('type')).map(([key, value]) => mapOf(key, value)),
    tie('type').map(lazyType),
    fc.array(tie('type'), { minLength: 1, maxLength: 5 }).map(structOf),
    fc.array(fc.option(tie('type'), { nil: undefined }), { minLength: 1, maxLength: 4 }).map(enumType),
  ),
})).type
