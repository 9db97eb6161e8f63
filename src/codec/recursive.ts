/** Owns recursion and refinement: a type that contains itself, and a type with an additional rule. */
import { fail } from './fault.js'
import { component } from './json-schema.js'
import { type NodeSpec, nodeOf, SchemaNode } from './node.js'
import type { JsonSchemaObject, Schema } from './schema.js'
import { misuse } from './writer.js'

/**
 * Reference to a named type declared later, for recursive types. Same bytes and JSON as the type; every pass through it
 * counts as one level of depth.
 *
 * @param name name of the type returned by `thunk`
 * @param thunk called at the first use
 */
export function recursive<T>(name: string, thunk: () => Schema<T>): Schema<T> {
  let resolved: SchemaNode<T> | undefined
  const target = (): SchemaNode<T> => {
    if (resolved === undefined) {
      const node = nodeOf(thunk())
      if (node.name !== name) throw new Error(`recursive ${name} refers to ${node.name ?? 'a type without a name'}`)
      if (node.minSize < 1) throw new Error(`recursive ${name}: the type must have at least one byte`)
      resolved = node
    }
    return resolved
  }
  const spec: NodeSpec<T> = {
    name,
    // The size of the type is not known yet; any type that may recurse takes at least a byte.
    minSize: 1,
    maxSize: Number.POSITIVE_INFINITY,
    put: (w, value) => {
      w.enter()
      target().put(w, value)
      w.leave()
    },
    take: (r) => {
      r.enter()
      const value = target().take(r)
      r.leave()
      return value
    },
    skip: (r) => {
      r.enter()
      target().skip(r)
      r.leave()
    },
    jsonOf: (value, state) => {
      state.enter()
      const json = target().jsonOf(value, state)
      state.leave()
      return json
    },
    ofJson: (json, state) => {
      state.enter()
      const value = target().ofJson(json, state)
      state.leave()
      return value
    },
    schemaOf: (refs) => target().schemaOf(refs),
    body: () => `rec(${name})`,
    reference: `rec(${name})`,
    children: () => [target()],
  }
  return new SchemaNode(spec)
}

/**
 * Type with an additional rule.
 *
 * @param check reason of a refusal (fault `bad_value`), or undefined for a valid value; must be pure
 * @param json the rule in JSON Schema; not part of the schema hash
 */
export function refine<T>(
  schema: Schema<T>,
  name: string,
  check: (value: T) => string | undefined,
  json: JsonSchemaObject = {},
): Schema<T> {
  const inner = nodeOf(schema)
  if (inner.name === name) throw new Error(`refine: ${name} needs its own name`)
  const take: NodeSpec<T>['take'] = (r) => {
    const at = r.pos
    const value = inner.take(r)
    const reason = check(value)
    if (reason !== undefined) fail('bad_value', reason, at)
    return value
  }
  const spec: NodeSpec<T> = {
    name,
    minSize: inner.minSize,
    maxSize: inner.maxSize,
    put: (w, value) => {
      inner.put(w, value)
      const reason = check(value)
      if (reason !== undefined) misuse(`${name} (${reason})`, value)
    },
    take,
    // The rule applies to the value, so a check has to decode it.
    skip: (r) => void take(r),
    jsonOf: inner.jsonOf,
    ofJson: (json, state) => {
      const value = inner.ofJson(json, state)
      const reason = check(value)
      if (reason !== undefined) fail('bad_value', reason)
      return value
    },
    schemaOf: (refs) => component(refs, name, () => ({ ...inner.schemaOf(refs), ...json })),
    body: () => `refine(${inner.expression})`,
    children: () => [inner],
    jsonString: inner.jsonString,
    jsonNull: inner.jsonNull,
    optional: inner.optional,
  }
  return new SchemaNode(spec)
}
