/** Owns lazy values: length-prefixed bytes that are validated when read and decoded on demand. */
import type { Decoded } from './fault.js'
import { type NodeSpec, nodeOf, SchemaNode } from './node.js'
import { Reader } from './reader.js'
import type { CodecContext, Schema } from './schema.js'
import { prefixedSize } from './sizes.js'
import { misuse } from './writer.js'

/** Canonical bytes of a value, and the value. */
export interface Lazy<T> {
  /** The canonical bytes: a view into the message they came in. Hash these; never encode again. */
  readonly bytes: Uint8Array
  /** The value, decoded at the first access and kept. Cannot fail: the bytes were checked. */
  readonly value: T
  /** Weight of the JSON in it (json-canonical.ts), by its bytes. */
  readonly jsonWeight: number
}

/** What a handle knows besides its bytes. */
interface LazyState {
  readonly node: SchemaNode<any>
  readonly context: unknown
  value: unknown
  decoded: boolean
  /** Absent until somebody asks, where the bytes were made here. */
  jsonWeight: number | undefined
}

class LazyHandle<T> implements Lazy<T> {
  // Private to the language, so that equal bytes compare equal whether or not the value was asked for;
  // one field, because making each takes as long as checking a small record.
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
      // The depth was checked with the bytes, under whatever limit held then.
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

  /** True when the bytes are of this type. */
  isOf(node: SchemaNode<any>): boolean {
    return this.#state.node === node
  }
}

/** The handle of a value: encodes it. `schema` is the inner schema. Throws like `encode`. */
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

/** Length and bytes of the inner type, validated completely but not decoded. The JSON is the one of the inner type. */
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
        // The bytes were made at depth 0; here they stand deeper, and no reader may refuse what was written.
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
