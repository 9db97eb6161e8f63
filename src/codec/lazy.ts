/** Owns lazy values: length-prefixed bytes that are validated when read and decoded on demand. */
import type { Decoded } from './fault.js'
import { type NodeSpec, nodeOf, SchemaNode } from './node.js'
import { Reader } from './reader.js'
import type { CodecContext, Schema } from './schema.js'
import { prefixedSize } from './sizes.js'
import { misuse } from './writer.js'

/** Canonical bytes of a value, and the value. */
export interface Lazy<T> {
  /** Canonical bytes: a view into the message that contained them. Hash these; never encode again. */
  readonly bytes: Uint8Array
  /** Value, decoded on first access and cached. Cannot fail, since the bytes were validated. */
  readonly value: T
  /** Weight of the JSON in it (json-canonical.ts). */
  readonly jsonWeight: number
}

/** State of a handle besides its bytes. */
interface LazyState {
  readonly node: SchemaNode<any>
  readonly context: unknown
  value: unknown
  decoded: boolean
  /** Absent until first requested, for locally encoded bytes. */
  jsonWeight: number | undefined
}

class LazyHandle<T> implements Lazy<T> {
  // Private, so that handles with equal bytes compare equal whether or not they are decoded; a single field, because
  // creating each costs as much as validating a small record.
  readonly #state: LazyState

  constructor(
    readonly bytes: Uint8Array,
    state: LazyState,
  ) {
    this.#state = state
  }

  get value(): T {
    const state = this.#state
    if (!state.decoded) {
      // The depth was checked with the bytes, under the limit of that time.
      state.value = state.node.take(new Reader(this.bytes, state.context, Number.MAX_SAFE_INTEGER, true))
      state.decoded = true
    }
    return state.value as T
  }

  get jsonWeight(): number {
    const state = this.#state
    if (state.jsonWeight === undefined) {
      const reader = new Reader(this.bytes, state.context, Number.MAX_SAFE_INTEGER)
      state.node.skip(reader)
      state.jsonWeight = reader.jsonWeight
    }
    return state.jsonWeight
  }

  /** True if the bytes are of this type. */
  isOf(node: SchemaNode<any>): boolean {
    return this.#state.node === node
  }
}

/** Handle of a value, which is encoded. `schema` is the inner schema. Throws like `encode`. */
export function lazyOf<T>(schema: Schema<T>, value: T, ctx?: CodecContext): Lazy<T> {
  return new LazyHandle<T>(schema.encode(value, ctx), {
    node: nodeOf(schema),
    context: ctx,
    value,
    decoded: true,
    jsonWeight: undefined,
  })
}

/** Handle of untrusted bytes: validates them completely. `schema` is the inner schema. */
export function lazyFromBytes<T>(schema: Schema<T>, bytes: Uint8Array, ctx?: CodecContext): Decoded<Lazy<T>> {
  const fault = schema.check(bytes, ctx)
  if (fault !== undefined) return { ok: false, fault }
  return {
    ok: true,
    value: new LazyHandle<T>(bytes, {
      node: nodeOf(schema),
      context: ctx,
      value: undefined,
      decoded: false,
      jsonWeight: undefined,
    }),
  }
}

/**
 * Length and bytes of the inner type, validated completely but not decoded. The JSON form is the form of the inner
 * type.
 */
export function lazy<T>(schema: Schema<T>): Schema<Lazy<T>> {
  const inner = nodeOf(schema)
  const skip: NodeSpec<Lazy<T>>['skip'] = (r) => {
    const outer = r.beginBody()
    inner.skip(r)
    r.endBody(outer)
  }
  const spec: NodeSpec<Lazy<T>> = {
    minSize: 1 + inner.minSize,
    maxSize: prefixedSize(inner.maxSize),
    put: (w, value) => {
      if (!(value instanceof LazyHandle) || !value.isOf(inner))
        misuse('a handle made by lazyOf or lazyFromBytes', value)
      if (w.depth > 0) {
        // The bytes were encoded at depth 0; here they are nested deeper, and no reader may reject what was written.
        const reader = new Reader(value.bytes, w.context, w.maxDepth)
        reader.depth = w.depth
        inner.skip(reader)
      }
      w.varint(value.bytes.length)
      w.raw(value.bytes)
    },
    take: (r) => {
      const outer = r.beginBody()
      const start = r.pos
      const before = r.jsonWeight
      inner.skip(r)
      r.endBody(outer)
      return new LazyHandle<T>(r.buf.subarray(start, r.pos), {
        node: inner,
        context: r.context,
        value: undefined,
        decoded: false,
        jsonWeight: r.jsonWeight - before,
      })
    },
    skip,
    jsonOf: (value, state) => inner.jsonOf(value.value, state),
    ofJson: (json, state) => lazyOf(inner, inner.ofJson(json, state), state.ctx),
    schemaOf: (refs) => inner.schemaOf(refs),
    body: () => `lazy(${inner.expression})`,
    children: () => [inner],
    jsonString: inner.jsonString,
    jsonNull: inner.jsonNull,
  }
  return new SchemaNode(spec)
}
