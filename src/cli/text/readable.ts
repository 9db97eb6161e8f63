/** Owns records in readable form: bytes as text or size, amounts with the digits of their asset. */
import { createHash } from 'node:crypto'
import { withDigits } from '../../base/digits.js'
import {
  type Json,
  type JsonObject,
  type JsonSchemaObject,
  type JsonSchemaRefs,
  jsonSchemaRefs,
  NUMERIC_MAX_SCALE,
  numeric,
  type OpenRegistry,
  referredName,
  type Schema,
} from '../../codec/index.js'
import { isJsonObject } from '../../codec/schema.js'

/** Maximum nesting of records: some types recurse, and responses of a gateway are untrusted. */
const DEPTH_MAX = 32
/**
 * Maximum length of a text that is shown in full, in characters; a longer one is shown as its start, length and digest.
 */
const TEXT_MAX = 1_024
const TEXT_START = 64
/** Number of digest digits that distinguish two byte strings in one record. */
const DIGEST_DIGITS = 16
const NUMERIC_PATTERN = numeric.jsonSchema(jsonSchemaRefs())['pattern']
/** Characters of text: no control character but line feed, carriage return and tab. */
const NO_TEXT = /[^\P{Cc}\n\r\t]/u

const digestOf = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** Text for display, shortened to a start, a length and a digest for comparison if it is long. */
export const shortened = (text: string): string =>
  text.length <= TEXT_MAX
    ? text
    : `${text.slice(0, TEXT_START)}… (${text.length} characters, SHA-256 ${digestOf(text)})`

/** Bytes as text if possible, otherwise their size and digest. */
export function bytesText(base64: string): string {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length === 0) return 'empty'
  const text = bytes.toString('utf8')
  if (!NO_TEXT.test(text) && Buffer.from(text, 'utf8').equals(bytes)) return JSON.stringify(shortened(text))
  return `${bytes.length} bytes (SHA-256 ${digestOf(bytes).slice(0, DIGEST_DIGITS)}…)`
}

/** Fraction digits of amounts, by asset definition. */
export type AssetDigits = ReadonlyMap<string, number>

/**
 * Fraction digits in the record of an asset definition; undefined if it has none or more than an amount can have.
 */
export const scaleOf = ({ scale }: Readonly<Record<string, Json | undefined>>): number | undefined =>
  typeof scale === 'number' && scale <= NUMERIC_MAX_SCALE ? scale : undefined

/** Digits of the asset of a record: its own scale, or the scale of a definition or balance that it names. */
function digitsIn(record: JsonObject, digits: AssetDigits): number | undefined {
  const own = scaleOf(record)
  if (own !== undefined) return own
  const values = Object.values(record)
  const texts = [...values, ...values.flatMap((one) => (isJsonObject(one) ? Object.values(one) : []))]
  for (const text of texts) {
    const found = typeof text === 'string' ? digits.get(text) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Variant of a unit enum as words: `PeriodEnd` is `period end`. */
export const variantWords = (variant: string): string => variant.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase()

/** Formatter for the JSON of records of one schema. */
export class Readable {
  private readonly refs: JsonSchemaRefs
  private readonly root: JsonSchemaObject

  constructor(
    schema: Pick<Schema<never>, 'jsonSchema'>,
    private readonly digits: AssetDigits = new Map(),
    registries: Readonly<Record<string, OpenRegistry>> = {},
    /** Text of a variant of a unit enum. */
    private readonly variantText: (variant: string) => string = (variant) => variant,
  ) {
    this.refs = jsonSchemaRefs(registries)
    this.root = schema.jsonSchema(this.refs)
  }

  /** Record with its bytes and amounts as readable texts. */
  of(value: Json): Json {
    return this.read(value, this.root, undefined, 0)
  }

  private read(value: Json, schema: Json | undefined, digits: number | undefined, depth: number): Json {
    if (depth > DEPTH_MAX || value === null || !isJsonObject(schema)) return value
    const name = referredName(schema)
    if (name !== undefined) return this.read(value, this.refs.components.get(name), digits, depth)
    const branches = schema['anyOf'] ?? schema['oneOf']
    if (Array.isArray(branches))
      return this.read(value, branchOf(value, branches as readonly Json[]), digits, depth + 1)
    if (typeof value === 'string') return this.text(value, schema, digits)
    if (Array.isArray(value))
      return (value as readonly Json[]).map((one) => this.read(one, schema['items'], digits, depth + 1))
    if (!isJsonObject(value)) return value
    const own = digitsIn(value, this.digits) ?? digits
    const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
    const others = schema['additionalProperties']
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, this.read(one, properties[key] ?? others, own, depth + 1)]),
    )
  }

  private text(value: string, schema: JsonObject, digits: number | undefined): string {
    if (schema['contentEncoding'] === 'base64') return bytesText(value)
    if (schema['enum'] !== undefined) return this.variantText(value)
    return digits !== undefined && schema['pattern'] === NUMERIC_PATTERN ? withDigits(value, digits) : value
  }
}

/** Names of the fields of the items of a list response; empty for a response without items. */
export function itemFields(response: Pick<Schema<never>, 'jsonSchema'>): readonly string[] {
  const refs = jsonSchemaRefs()
  const followed = (schema: Json | undefined): JsonObject => {
    if (!isJsonObject(schema)) return {}
    const name = referredName(schema)
    return name === undefined ? schema : followed(refs.components.get(name))
  }
  const { properties } = followed(response.jsonSchema(refs))
  const { items: list } = followed(properties)
  const { properties: fields } = followed(followed(list)['items'])
  return Object.keys(followed(fields))
}

/**
 * Alternative that a value matches: for a variant, the alternative with the name of its only field; otherwise the first
 * one that is neither a name nor null.
 */
function branchOf(value: Json, branches: readonly Json[]): Json | undefined {
  const objects = branches.filter(isJsonObject)
  const [name] = isJsonObject(value) ? Object.keys(value) : []
  const variant = objects.find(
    ({ properties, required }) =>
      Array.isArray(required) && required.length === 1 && required[0] === name && isJsonObject(properties),
  )
  return variant ?? objects.find(({ type, enum: words }) => type !== 'null' && words === undefined)
}

const DEFINITION = /^[^\s#@$]{1,128}#[^\s#@$]{1,128}$/

/** Asset definitions in a record, except in records with their own digits. */
export function definitionsIn(value: Json, found = new Set<string>(), depth = 0): Set<string> {
  if (depth > DEPTH_MAX) return found
  if (typeof value === 'string') {
    if (DEFINITION.test(value)) found.add(value)
  } else if (Array.isArray(value)) {
    for (const one of value as readonly Json[]) definitionsIn(one, found, depth + 1)
  } else if (isJsonObject(value) && scaleOf(value) === undefined) {
    for (const one of Object.values(value)) definitionsIn(one, found, depth + 1)
  }
  return found
}
