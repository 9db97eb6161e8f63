/** Owns the map: entries strictly ascending by encoded key. */
import { requireBound } from './bytes.js'
import { arrayOfJson } from './containers.js'
import { fail, located, type Segment } from './fault.js'
import { setOwn } from './json-scan.js'
import { type JsonState, type NodeSpec, nodeOf, SchemaNode } from './node.js'
import type { Reader } from './reader.js'
import type { Json, JsonSchemaObject, Schema } from './schema.js'
import { isJsonObject } from './schema.js'
import { varintSize } from './sizes.js'
import { misuse, shown, Writer } from './writer.js'

/** Types usable as Map keys: compared by value. */
type MapKey = string | number | bigint | boolean

const segmentOf = (key: unknown): Segment => (typeof key === 'number' ? key : String(key))

/**
 * Count and entries, at most `maxItems`, strictly ascending by the bytes of the encoded key. Decodes to a Map in that order.
 * JSON is an object when the key's JSON is a string, else an array of `[key, value]` pairs.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the methods of one schema share its parameters
export function map<K extends MapKey, V>(
  keySchema: Schema<K>,
  valueSchema: Schema<V>,
  maxItems: number,
): Schema<ReadonlyMap<K, V>> {
  const key = nodeOf(keySchema)
  const item = nodeOf(valueSchema)
  requireBound('map: bound', maxItems, 0)
  if (key.minSize < 1) throw new Error('map: keys must have at least one byte each')
  const entryBytes = key.minSize + item.minSize

  /** Reject the key between `start` and the reader's position unless it is above the previous one. */
  const ascending = (r: Reader, lastStart: number, lastEnd: number, start: number): void => {
    const order = r.buf.compare(r.buf, lastStart, lastEnd, start, r.pos)
    if (order <= 0) fail('non_canonical', order === 0 ? 'duplicate map key' : 'map keys are out of order', start)
  }

  const spec: NodeSpec<Map<K, V>> = {
    minSize: 1,
    maxSize: varintSize(maxItems) + maxItems * (key.maxSize + item.maxSize),
    put: (w, value) => {
      if (!(value instanceof Map) || value.size > maxItems) misuse(`a Map of at most ${maxItems} entries`, value)
      w.varint(value.size)
      const begin = w.pos
      let lastStart = -1
      let lastEnd = -1
      let current: K | undefined
      try {
        for (const k of value.keys()) {
          current = k
          const start = w.pos
          key.put(w, k)
          if (lastStart >= 0 && w.buf.compare(w.buf, lastStart, lastEnd, start, w.pos) <= 0) {
            w.pos = begin
            putSorted(w, value)
            return
          }
          lastStart = start
          lastEnd = w.pos
          item.put(w, value.get(k)!)
        }
      } catch (error) {
        throw located(error, segmentOf(current))
      }
    },
    take: (r) => {
      const count = r.count(maxItems, entryBytes)
      const out = new Map<K, V>()
      let lastStart = -1
      let lastEnd = -1
      for (let i = 0; i < count; i++) {
        let current: K | undefined
        try {
          const start = r.pos
          current = key.take(r)
          if (lastStart >= 0) ascending(r, lastStart, lastEnd, start)
          lastStart = start
          lastEnd = r.pos
          out.set(current, item.take(r))
        } catch (error) {
          throw located(error, current === undefined ? i : segmentOf(current))
        }
      }
      return out
    },
    skip: (r) => {
      const count = r.count(maxItems, entryBytes)
      let lastStart = -1
      let lastEnd = -1
      let i = 0
      try {
        for (; i < count; i++) {
          const start = r.pos
          key.skip(r)
          if (lastStart >= 0) ascending(r, lastStart, lastEnd, start)
          lastStart = start
          lastEnd = r.pos
          item.skip(r)
        }
      } catch (error) {
        throw located(error, i)
      }
    },
    jsonOf: (value, state) => {
      const pairs = sorted([...value.entries()], state)
      if (!key.jsonString) return pairs.map(([k, v]) => [key.jsonOf(k, state), item.jsonOf(v, state)])
      const out: { [name: string]: Json } = {}
      for (const [k, v] of pairs) setOwn(out, key.jsonOf(k, state) as string, item.jsonOf(v, state))
      return out
    },
    ofJson: (json, state) => {
      const pairs = key.jsonString ? objectEntries(json, state) : pairEntries(json, state)
      // In wire order, so that the order in the JSON has no effect.
      const out = new Map(sorted(pairs, state))
      if (out.size !== pairs.length) fail('duplicate_field', 'duplicate map key')
      return out
    },
    schemaOf: (refs): JsonSchemaObject =>
      key.jsonString
        ? {
            type: 'object',
            propertyNames: key.schemaOf(refs),
            additionalProperties: item.schemaOf(refs),
            maxProperties: maxItems,
          }
        : {
            type: 'array',
            maxItems,
            items: { type: 'array', prefixItems: [key.schemaOf(refs), item.schemaOf(refs)], minItems: 2, maxItems: 2 },
          },
    body: () => `map(${key.expression}, ${item.expression}, ${maxItems})`,
    children: () => [key, item],
  }

  const keyBytes = (k: K, context: unknown): Buffer => {
    const scratch = new Writer(64, context)
    key.put(scratch, k)
    return scratch.toBytes()
  }

  /** Entries ordered by encoded key. */
  function sorted(entries: [K, V][], state: JsonState): [K, V][] {
    if (entries.length < 2) return entries
    return entries
      .map((entry) => ({ entry, bytes: keyBytes(entry[0], state.ctx) }))
      .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
      .map(({ entry }) => entry)
  }

  /** Write the entries of a map whose own order is not canonical. */
  function putSorted(w: Writer, value: Map<K, V>): void {
    const keys = new Writer(64 * value.size, w.context)
    const entries = [...value.keys()].map((k) => {
      const start = keys.pos
      key.put(keys, k)
      return { k, start, end: keys.pos }
    })
    const { buf } = keys
    entries.sort((a, b) => buf.compare(buf, b.start, b.end, a.start, a.end))
    let last: { readonly start: number; readonly end: number } | undefined
    for (const one of entries) {
      const { k, start, end } = one
      if (last !== undefined && buf.compare(buf, last.start, last.end, start, end) === 0) misuse('distinct keys', k)
      last = one
      w.raw(buf.subarray(start, end))
      item.put(w, value.get(k)!)
    }
  }

  function objectEntries(json: Json, state: JsonState): [K, V][] {
    if (!isJsonObject(json)) return fail('bad_value', `expected an object, got ${shown(json)}`)
    const source = Object.entries(json)
    if (source.length > maxItems) fail('out_of_bounds', `${source.length} entries, at most ${maxItems}`)
    return source.map(([name, value]) => {
      try {
        return [key.ofJson(name, state), item.ofJson(value, state)]
      } catch (error) {
        throw located(error, name)
      }
    })
  }

  function pairEntries(json: Json, state: JsonState): [K, V][] {
    return arrayOfJson(json, maxItems).map((pair, i) => {
      try {
        if (!Array.isArray(pair) || pair.length !== 2) return fail('bad_value', 'expected a [key, value] pair')
        return [key.ofJson(pair[0], state), item.ofJson(pair[1], state)]
      } catch (error) {
        throw located(error, i)
      }
    })
  }

  return new SchemaNode(spec)
}
