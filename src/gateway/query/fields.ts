/** Owns the fields of items: their paths, and the comparison of their values by schema. */
import {
  type CodecContext,
  canonicalJson,
  compareText,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonSchemaObject,
  jsonSchemaRefs,
  numeric,
  parseNumeric,
  referredName,
  type Schema,
  u64,
} from '../../codec/index.js'
import { isJsonList } from '../../codec/schema.js'
import { LedgerError } from '../../model/index.js'

/** Maximum nesting of schemas on the path to a field. */
const DEPTH_MAX = 32

/**
 * Comparison of a field: numbers and amounts by value, texts by their bytes. Free JSON, such as metadata, is ordered by
 * type: numeric values, then texts, then booleans, then the rest.
 */
export type FieldKind = 'number' | 'text' | 'boolean' | 'json'

/** Field of items. */
export interface Field {
  /** Name as requested. */
  readonly name: string
  readonly path: readonly string[]
  readonly kind: FieldKind
  /** Possible values of a text; undefined: any. */
  readonly words: readonly Json[] | undefined
}

/** Patterns of the texts of numbers. */
const DECIMALS = new Set([numeric, u64].map((schema) => schema.jsonSchema(jsonSchemaRefs())['pattern']))

/** Schema behind a reference or an option. */
function plain(schema: Json | undefined, components: ReadonlyMap<string, JsonSchemaObject>): JsonObject | undefined {
  let here = schema
  for (let depth = 0; depth < DEPTH_MAX && isJsonObject(here); depth++) {
    const { anyOf }: JsonObject = here
    const name = referredName(here)
    if (name !== undefined) here = components.get(name)
    else if (isJsonList(anyOf)) here = anyOf[0]
    else return here
  }
  return undefined
}

function kindOf(schema: JsonObject | undefined): FieldKind {
  if (schema?.['type'] === 'integer') return 'number'
  if (schema?.['type'] === 'boolean') return 'boolean'
  if (schema?.['type'] !== 'string') return 'json'
  return DECIMALS.has(schema['pattern'] ?? '') ? 'number' : 'text'
}

/**
 * Field names of a schema; undefined if it is not a record with fixed names, such as free JSON or a union of records.
 */
function namesOf(schema: JsonObject | undefined): JsonObject | undefined {
  const { properties, type }: JsonObject = schema ?? {}
  if (isJsonObject(properties)) return properties
  return type === undefined || type === 'object' ? undefined : {}
}

const unknownField = (text: string, names: JsonObject): LedgerError =>
  new LedgerError('invalid_field_path', `items do not have the field ${text.slice(0, 64)}`, {
    details: { field: text, known: Object.keys(names) },
  })

/** Fields of the items of a list. */
export class ItemFields {
  private constructor(
    private readonly properties: JsonObject,
    private readonly components: ReadonlyMap<string, JsonSchemaObject>,
  ) {}

  /** Fields of the items of an output; undefined if it has no items. */
  static of(output: Pick<Schema<never>, 'jsonSchema'>, codec: CodecContext): ItemFields | undefined {
    const refs = { ...jsonSchemaRefs(), registries: codec.registries ?? {} }
    const property = (schema: Json | undefined, name: string): Json | undefined =>
      plain(schema, refs.components)?.[name]
    const record = property(output.jsonSchema(refs), 'properties')
    const items = isJsonObject(record) ? record['items'] : undefined
    const properties = property(property(items, 'items'), 'properties')
    return isJsonObject(properties) ? new ItemFields(properties, refs.components) : undefined
  }

  /**
   * Resolve the path of a field: names of fields of the item and of nested records; everything after `metadata.` is one
   * key.
   */
  field(text: string): Field | LedgerError {
    const [first = '', ...rest] = text.split('.')
    if (!Object.hasOwn(this.properties, first)) return unknownField(text, this.properties)
    const path = first === 'metadata' && rest.length > 0 ? [first, rest.join('.')] : [first, ...rest]
    let schema = plain(this.properties[first], this.components)
    for (const name of path.slice(1)) {
      const names = namesOf(schema)
      if (names !== undefined && !Object.hasOwn(names, name)) return unknownField(text, names)
      schema = names === undefined ? undefined : plain(names[name], this.components)
    }
    const words = schema?.['enum']
    return { name: text, path, kind: kindOf(schema), words: isJsonList(words) ? words : undefined }
  }
}

/** Value at a path; undefined if absent or null. */
export function valueAt(item: Json, path: readonly string[]): Json | undefined {
  let here: Json | undefined = item
  for (const name of path) {
    if (!isJsonObject(here) || !Object.hasOwn(here, name)) return undefined
    here = here[name]
  }
  return here === null ? undefined : here
}

interface Decimal {
  readonly mantissa: bigint
  readonly scale: number
}

/** Numeric value; in JSON, numbers are integers and amounts are texts. */
function numberOf(json: Json): Decimal | undefined {
  if (typeof json === 'number') return { mantissa: BigInt(json), scale: 0 }
  return typeof json === 'string' ? parseNumeric(json) : undefined
}

function compareNumbers(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale)
  const at = ({ mantissa, scale: own }: Decimal): bigint => mantissa * 10n ** BigInt(scale - own)
  const [left, right] = [at(a), at(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** Rank of a value among the kinds of JSON. */
function rankOf(json: Json): number {
  if (typeof json === 'string') return 1
  return typeof json === 'boolean' ? 2 : 3
}

/** Value prepared for repeated comparison. */
export class Comparable {
  /** Numeric value, if it has one. */
  readonly number: Decimal | undefined
  readonly rank: number
  private canonical: string | undefined

  constructor(readonly json: Json) {
    this.number = numberOf(json)
    this.rank = rankOf(json)
  }

  /** A text unchanged, anything else as canonical JSON. */
  get text(): string {
    this.canonical ??= typeof this.json === 'string' ? this.json : canonicalJson(this.json)
    return this.canonical
  }
}

/** Total order of values; 0 for equivalent values. */
export function compareValues(kind: FieldKind, a: Comparable, b: Comparable): number {
  if (kind !== 'text') {
    const [left, right] = [a.number, b.number]
    if (left !== undefined && right !== undefined) return compareNumbers(left, right)
    if (left !== undefined || right !== undefined) return left === undefined ? 1 : -1
  }
  return a.rank - b.rank || compareText(a.text, b.text)
}

/** Values of one item, each prepared at most once for all conditions. */
export class ItemValues {
  private item: Json | undefined
  private readonly values = new Map<string, Comparable | undefined>()

  /** Value of a field; undefined if absent or null. */
  of(item: Json, { name, path }: Field): Comparable | undefined {
    if (item !== this.item) {
      this.item = item
      this.values.clear()
    }
    if (!this.values.has(name)) {
      const value = valueAt(item, path)
      this.values.set(name, value === undefined ? undefined : new Comparable(value))
    }
    return this.values.get(name)
  }
}
