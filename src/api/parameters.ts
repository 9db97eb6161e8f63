/**
 * Owns the fields of a query string or a path: their names, and the conversion of their texts to JSON by the schema of
 * their record.
 */
import {
  type Json,
  type JsonObject,
  type JsonSchemaObject,
  type JsonSchemaRefs,
  jsonSchemaRefs,
  referredName,
  struct,
} from '../codec/index.js'
import { isJsonList } from '../codec/schema.js'
import type { AnySchema } from './route.js'

/** Parameter of a query string or a path. */
export interface ParameterField {
  readonly name: string
  readonly required: boolean
  readonly schema: JsonSchemaObject
  /** JSON value of its text. */
  readonly type: 'string' | 'integer' | 'boolean'
  /** Name of its schema, if it has one. */
  readonly refers: string | undefined
}

/** Parameters of a route without any: every parameter in a request is a fault. */
export const NO_PARAMETERS = struct('NoParameters', {})

/** Schema without the null of an option. */
const present = (schema: JsonSchemaObject): JsonSchemaObject =>
  Array.isArray(schema['anyOf']) ? (schema['anyOf'][0] as JsonSchemaObject) : schema

/** Schema without its reference and without the null of an option. */
function plain(schema: JsonSchemaObject, refs: JsonSchemaRefs): JsonSchemaObject {
  const name = referredName(schema)
  if (name !== undefined) {
    const target = refs.components.get(name)
    return target === undefined ? {} : plain(target, refs)
  }
  const inner = present(schema)
  return inner === schema ? schema : plain(inner, refs)
}

/** Fields of a struct in a query string or a path; throws for a field that no text can represent. */
export function parameterFields(schema: AnySchema): readonly ParameterField[] {
  const refs = jsonSchemaRefs()
  const record = plain(schema.jsonSchema(refs), refs)
  const properties = (record['properties'] ?? {}) as Readonly<Record<string, JsonSchemaObject>>
  const required = (record['required'] ?? []) as readonly string[]
  return Object.entries(properties).map(([name, property]) => {
    const field = plain(property, refs)
    const type = field['type']
    if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
      throw new Error(`${schema.name ?? 'record'}.${name}: a parameter must be a text, an integer or a boolean`)
    }
    return { name, required: required.includes(name), schema: field, type, refers: referredName(present(property)) }
  })
}

/** Pattern of an id of 32 bytes. */
const HEX_ID = '^[0-9a-f]{64}$'

/** JSON value of a parameter text; a text of another type stays a string, which the schema then rejects. */
export function parameterJson(field: ParameterField, text: string): Json {
  if (field.type === 'integer' && /^(0|[1-9][0-9]{0,15})$/.test(text)) return Number(text)
  // Other ledgers prefix their hashes with 0x, and users paste them.
  if (field.schema['pattern'] === HEX_ID && text.startsWith('0x')) return text.slice(2)
  const { enum: words } = field.schema
  if (isJsonList(words)) {
    // Variants are capitalised in JSON; in a URL any case is accepted.
    const known = words.filter((word) => typeof word === 'string')
    return known.find((word) => word.toLowerCase() === text.toLowerCase()) ?? text
  }
  if (field.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** Text of a parameter in a request line; the schema rejects values that no text can represent. */
const parameterText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Split named parameters into path parameters and query pairs; null means absent. */
export function parameterPairs(
  named: JsonObject,
  isOfPath: (name: string) => boolean,
): Readonly<Record<'path' | 'query', readonly (readonly [name: string, text: string])[]>> {
  const pairs = Object.entries(named).flatMap(([name, value]) =>
    value === null ? [] : [[name, parameterText(value)] as const],
  )
  return { path: pairs.filter(([name]) => isOfPath(name)), query: pairs.filter(([name]) => !isOfPath(name)) }
}
