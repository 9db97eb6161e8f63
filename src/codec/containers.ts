/** Owns the optional value and the list. */
import { requireBound } from './bytes.js'
import { emitPut, emitSkip, emitTake } from './emit.js'
import { fail, gathered, located, type RawFault } from './fault.js'
import { type NodeSpec, nodeOf, SchemaNode } from './node.js'
import type { Json, Schema } from './schema.js'
import { varintSize } from './sizes.js'
import { misuse, shown } from './writer.js'

function optionSpec<T>(inner: SchemaNode<T>): NodeSpec<T | undefined> {
  if (inner.jsonNull) throw new Error('option: the inner type already uses null, so its JSON form would be ambiguous')
  return {
    minSize: 1,
    maxSize: 1 + inner.maxSize,
    put: (w, value) => {
      if (value === undefined) w.u8(0)
      else {
        w.u8(1)
        inner.put(w, value)
      }
    },
    take: (r) => (r.present() ? inner.take(r) : undefined),
    skip: (r) => {
      if (r.present()) inner.skip(r)
    },
    jsonOf: (value, state) => (value === undefined ? null : inner.jsonOf(value, state)),
    ofJson: (json, state) => (json === null ? undefined : inner.ofJson(json, state)),
    schemaOf: (refs) => ({ anyOf: [inner.schemaOf(refs), { type: 'null' }] }),
    body: () => `option(${inner.expression})`,
    children: () => [inner],
    jsonNull: true,
    optional: true,
    emit: {
      put: (value, gen) => `if(${value}===undefined)w.u8(0);else{w.u8(1);${emitPut(inner, value, gen)}}`,
      take: (gen) => `(r.present()?${emitTake(inner, gen)}:undefined)`,
      skip: (gen) => `if(r.present()){${emitSkip(inner, gen)}}`,
    },
  }
}

/** Value or undefined; tag byte 0 or 1. JSON writes null, and accepts null or an absent field. */
export const option = <T>(schema: Schema<T>): Schema<T | undefined> => new SchemaNode(optionSpec(nodeOf(schema)))

/** The same bytes and description as `option`, for a struct field that JSON omits instead of writing null. */
export function omissible<T>(schema: Schema<T>): Schema<T | undefined> {
  const inner = nodeOf(schema)
  return new SchemaNode({
    ...optionSpec(inner),
    jsonOf: (value, state) => (value === undefined ? ABSENT : inner.jsonOf(value, state)),
    schemaOf: (refs) => inner.schemaOf(refs),
  })
}

/** Options of a struct for fields omitted in its JSON. */
const ABSENT = undefined as unknown as Json

/** Count and items, at most `maxItems`. */
export function list<T>(schema: Schema<T>, maxItems: number): Schema<readonly T[]> {
  const inner = nodeOf(schema)
  requireBound('list: bound', maxItems, 0)
  // Otherwise a few bytes could claim any number of items.
  if (inner.minSize < 1) throw new Error('list: items must have at least one byte each')
  const spec: NodeSpec<readonly T[]> = {
    minSize: 1,
    maxSize: varintSize(maxItems) + maxItems * inner.maxSize,
    put: (w, value) => {
      if (!Array.isArray(value) || value.length > maxItems) misuse(`an array of at most ${maxItems} items`, value)
      const count = value.length
      w.varint(count)
      let i = 0
      try {
        for (; i < count; i++) inner.put(w, value[i]!)
      } catch (error) {
        throw located(error, i)
      }
    },
    take: (r) => {
      const count = r.count(maxItems, inner.minSize)
      const items: T[] = []
      try {
        while (items.length < count) items.push(inner.take(r))
      } catch (error) {
        throw located(error, items.length)
      }
      return items
    },
    skip: (r) => {
      const count = r.count(maxItems, inner.minSize)
      let i = 0
      try {
        for (; i < count; i++) inner.skip(r)
      } catch (error) {
        throw located(error, i)
      }
    },
    jsonOf: (value, state) => value.map((item) => inner.jsonOf(item, state)),
    ofJson: (json, state) => {
      const source = arrayOfJson(json, maxItems)
      const items: T[] = []
      const { depth } = state
      let fault: RawFault | undefined
      for (const [at, item] of source.entries()) {
        try {
          items.push(inner.ofJson(item, state))
        } catch (error) {
          fault = gathered(fault, located(error, at))
          state.depth = depth
        }
      }
      if (fault !== undefined) throw fault
      return items
    },
    schemaOf: (refs) => ({ type: 'array', items: inner.schemaOf(refs), maxItems }),
    body: () => `list(${inner.expression}, ${maxItems})`,
    children: () => [inner],
  }
  return new SchemaNode(spec)
}

/** JSON array within a bound. */
export function arrayOfJson(json: Json, maxItems: number): readonly Json[] {
  if (!Array.isArray(json)) return fail('bad_value', `expected an array, got ${shown(json)}`)
  if (json.length > maxItems) fail('out_of_bounds', `${json.length} items, at most ${maxItems}`)
  return json
}
