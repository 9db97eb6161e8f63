/** Owns the byte bound of a whole value, for containers with large parts. */
import { requireBound } from './bytes.js'
import { fail, RawFault } from './fault.js'
import { type NodeSpec, nodeOf, SchemaNode } from './node.js'
import type { Reader } from './reader.js'
import type { CodecContext, Schema } from './schema.js'

/** Same bytes and JSON as the type, limited to `maxBytes` bytes; a reader stops at the bound. */
export function bounded<T>(schema: Schema<T>, maxBytes: number): Schema<T> {
  const inner = nodeOf(schema)
  requireBound('bounded: bound', maxBytes, inner.minSize)
  const tooLong = (at?: number): never => fail('out_of_bounds', `more than ${maxBytes} bytes`, at)
  const within = <R>(r: Reader, read: (reader: Reader) => R): R => {
    const { pos, end } = r
    if (end - pos <= maxBytes) return read(r)
    r.end = pos + maxBytes
    try {
      return read(r)
    } catch (error) {
      // The input continues: the apparently missing part is beyond the bound.
      if (error instanceof RawFault && error.code === 'truncated') return tooLong(pos)
      throw error
    } finally {
      r.end = end
    }
  }
  const spec: NodeSpec<T> = {
    minSize: inner.minSize,
    maxSize: Math.min(inner.maxSize, maxBytes),
    put: (w, value) => {
      const start = w.pos
      inner.put(w, value)
      if (w.pos - start > maxBytes) tooLong()
    },
    take: (r) => within(r, inner.take),
    skip: (r) => within(r, inner.skip),
    jsonOf: inner.jsonOf,
    ofJson: (json, state) => {
      const value = inner.ofJson(json, state)
      if (inner.encode(value, state.ctx as CodecContext | undefined).length > maxBytes) tooLong()
      return value
    },
    schemaOf: inner.schemaOf,
    body: () => `bounded(${inner.expression}, ${maxBytes})`,
    children: () => [inner],
    jsonString: inner.jsonString,
    jsonNull: inner.jsonNull,
  }
  return new SchemaNode(spec)
}
