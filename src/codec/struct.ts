/** Owns the struct: fields in declared order, with closures, and generated functions if allowed. */
import { fail, gathered, located, type RawFault } from './fault.js'
import { generateStruct } from './generate.js'
import { setOwn } from './json-scan.js'
import { component } from './json-schema.js'
import { requireDeclaredName, snakeCase } from './names.js'
import { type JsonState, type NodeSpec, nodeOf, SchemaNode } from './node.js'
import type { Json, Schema } from './schema.js'
import { isJsonObject } from './schema.js'
import { misuse, shown } from './writer.js'

/** Field of a struct. */
export interface Field {
  readonly name: string
  /** JSON name of the field. */
  readonly json: string
  readonly node: SchemaNode<any>
}

/** Fields of a struct, in order. */
export type Fields = Readonly<Record<string, Schema<any>>>
/** Value type of a struct of these fields. */
export type StructOf<F extends Fields> = { readonly [K in keyof F]: F[K] extends Schema<infer T> ? T : never }

/**
 * Record of named fields, on the wire in declared order without names; a JSON object with snake_case names.
 * `jsonNames`: other JSON names, for fields of a format that another standard defines.
 */
export function struct<F extends Fields>(
  name: string,
  fields: F,
  jsonNames: { readonly [K in keyof F]?: string } = {},
): Schema<StructOf<F>> {
  const list: Field[] = Object.entries(fields).map(([field, schema]) => {
    requireDeclaredName(name, field)
    // A field may have the name of a property that every object inherits.
    const json = Object.hasOwn(jsonNames, field) ? jsonNames[field] : undefined
    return { name: field, json: json ?? snakeCase(field), node: nodeOf(schema) }
  })
  if (new Set(list.map(({ json }) => json)).size < list.length)
    throw new Error(`${name}: two fields have one JSON name`)
  const node = new SchemaNode<any>(structSpec(name, list))
  generateOnFirstUse(node, list)
  return node
}

/** Struct with a given type: for records with a value of a type parameter, which cannot be inferred. */
export const structOf = <T>(name: string, fields: { readonly [K in keyof T]: Schema<T[K]> }): Schema<T> =>
  struct(name, fields) as unknown as Schema<T>

/** Replace the closures by generated functions on first use, if code generation is allowed. */
function generateOnFirstUse(node: SchemaNode<any>, fields: readonly Field[]): void {
  const { put, take, skip } = node
  const settle = (): void => {
    const generated = generateStruct(node.name ?? 'anonymous', fields) ?? { put, take, skip }
    node.put = generated.put
    node.take = generated.take
    node.skip = generated.skip
  }
  closures.set(node, { put, take, skip })
  node.put = (w, value) => {
    settle()
    node.put(w, value)
  }
  node.take = (r) => {
    settle()
    return node.take(r)
  }
  node.skip = (r) => {
    settle()
    node.skip(r)
  }
}

const closures = new WeakMap<SchemaNode<any>, Pick<SchemaNode<any>, 'put' | 'take' | 'skip'>>()

/** Permanently switch a schema and its parts to closures; for tests that compare both implementations. */
export function pinClosures(schema: Schema<any>): void {
  const seen = new Set<SchemaNode<any>>()
  const pending = [nodeOf(schema)]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node)) continue
    seen.add(node)
    const own = closures.get(node)
    if (own !== undefined) Object.assign(node, own)
    pending.push(...node.children())
  }
}

function structSpec(name: string, fields: readonly Field[]): NodeSpec<any> {
  const known = new Set(fields.map((field) => field.json))
  return {
    name,
    minSize: fields.reduce((sum, field) => sum + field.node.minSize, 0),
    maxSize: fields.reduce((sum, field) => sum + field.node.maxSize, 0),
    put: (w, value) => {
      if (value === null || typeof value !== 'object') misuse(name, value)
      for (const field of fields) {
        try {
          field.node.put(w, value[field.name])
        } catch (error) {
          throw located(error, field.name)
        }
      }
    },
    take: (r) => {
      const out: Record<string, unknown> = {}
      for (const field of fields) {
        try {
          out[field.name] = field.node.take(r)
        } catch (error) {
          throw located(error, field.name)
        }
      }
      return out
    },
    skip: (r) => {
      for (const field of fields) {
        try {
          field.node.skip(r)
        } catch (error) {
          throw located(error, field.name)
        }
      }
    },
    jsonOf: (value, state) => {
      const out: { [key: string]: Json } = {}
      for (const field of fields) {
        try {
          const json = field.node.jsonOf(value[field.name], state)
          if (json !== undefined) out[field.json] = json
        } catch (error) {
          throw located(error, field.name)
        }
      }
      return out
    },
    ofJson: (json, state) => fieldsOfJson(name, fields, known, json, state),
    schemaOf: (refs) =>
      component(refs, name, () => ({
        type: 'object',
        properties: Object.fromEntries(fields.map((field) => [field.json, field.node.schemaOf(refs)])),
        required: fields.filter((field) => !field.node.optional).map((field) => field.json),
        additionalProperties: false,
      })),
    body: () =>
      fields.length === 0
        ? 'struct {}'
        : `struct { ${fields.map((field) => `${field.name}: ${field.node.expression}`).join(', ')} }`,
    children: () => fields.map((field) => field.node),
  }
}

function fieldsOfJson(
  name: string,
  fields: readonly Field[],
  known: ReadonlySet<string>,
  json: Json,
  state: JsonState,
): Record<string, unknown> {
  if (!isJsonObject(json)) {
    return fail('bad_value', `expected an object (${name}), got ${shown(json)}`)
  }
  const source = json
  const { depth } = state
  let fault: RawFault | undefined
  // Reading continues after a fault, so that the sender gets all faulty fields.
  const note = (error: unknown, key: string): void => {
    fault = gathered(fault, located(error, key))
    state.depth = depth
  }
  for (const key of Object.keys(source)) {
    if (known.has(key)) continue
    try {
      fail('unknown_field', `${name} has no field ${shown(key)}; it has ${[...known].join(', ')}`)
    } catch (error) {
      note(error, key)
    }
  }
  const out: Record<string, unknown> = {}
  for (const field of fields) {
    try {
      if (Object.hasOwn(source, field.json)) setOwn(out, field.name, field.node.ofJson(source[field.json]!, state))
      else if (field.node.optional) out[field.name] = undefined
      else fail('missing_field', `${name} requires the field ${field.json}`)
    } catch (error) {
      note(error, field.json)
    }
  }
  if (fault !== undefined) throw fault
  return out
}
