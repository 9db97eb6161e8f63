/** Owns records with optional JSON fields, for files written by hand. */

import { nodeOf, SchemaNode } from './node.js'
import type { Json, Schema } from './schema.js'
import { isJsonObject } from './schema.js'

/**
 * The same bytes and description as the type, for JSON that may omit the fields with a default; written JSON has all of
 * them.
 *
 * @param defaults JSON of these fields, by JSON name
 */
export function withDefaults<T>(schema: Schema<T>, defaults: Readonly<Record<string, Json>>): Schema<T> {
  const inner = nodeOf(schema)
  return new SchemaNode({
    minSize: inner.minSize,
    maxSize: inner.maxSize,
    put: (w, value) => inner.put(w, value),
    take: (r) => inner.take(r),
    skip: (r) => inner.skip(r),
    jsonOf: inner.jsonOf,
    // The schema rejects anything but an object.
    ofJson: (json, state) => inner.ofJson(isJsonObject(json) ? { ...defaults, ...json } : json, state),
    schemaOf: inner.schemaOf,
    body: () => inner.expression,
    children: () => [inner],
  })
}
