/** Owns lazy values: length-prefixed bytes that are checked when read and decoded when asked for. */
import type { Decoded } from './fault.js'
import { type NodeSpec, nodeOf, SchemaNode } from './node.js'
import { Reader } from './reader.js'
import type { CodecContext, Schema } from './schema.js'
import { misuse } from './writer.js'

/** Canonical bytes of a value, and the value. */
export interface Lazy<T> {
  /** The canonical bytes: a view into the message they came in. Hash these; never encode again. */
  readonly bytes: Uint8Array
  /** The value, decoded at the first access and kept. Cannot fail: the bytes were checked. */
  readonly value: T
}

class LazyHandle<T> implements Lazy<T> {
  // Private to the language, so that equal bytes compare equal whether or not the value was asked for.
  readonly #node: SchemaNode<T>
  readonly #context: unknown
  #value: T | undefined
  #decoded: boolean

  constructor(
    readonly bytes: Uint8Array,
    node: SchemaNode<T>,
    context: unknown,
    known?: { readonly value: T },
  ) {
    this.#node = node
    this.#context = context
    this.#value = known?.value
    this.#decoded = known !== undefined
  }

  get value(): T {
    if (!this.#decoded) {
      // The depth was checked with the bytes, under whatever limit held then.
      this.#value = this.#node.take(new Reader(this.bytes, this.#context, Number.MAX_SAFE_INTEGER))
      this.#decoded = true
    }
    return this.#value as T
  }

  /** True when the bytes are of this type. */
  isOf(node: SchemaNode<any>): boolean {
    return this.#node === node
  }
}

/** The handle of a value: encodes it. `schema` is the inner schema. Throws like `encode`. */
export function lazyOf<T>(schema: Schema<T>, value: T, ctx?: CodecContext): Lazy<T> {
  return new LazyHandle(schema.encode(value, ctx), nodeOf(schema), ctx, { value })
}

/** The handle of bytes that came from elsewhere: checks them in full. `schema` is the inner schema. */
export function lazyFromBytes<T>(schema: Schema<T>, bytes: Uint8Array, ctx?: CodecContext): Decoded<Lazy<T>> {
  const fault = schema.check(bytes, ctx)
  if (fault !== undefined) return { ok: false, fault }
  return { ok: true, value: new LazyHandle(bytes, nodeOf(schema), ctx) }
}

/** Length and the bytes of the inner type, which are checked in full but not decoded. JSON is that of the inner type. */
export function lazy<T>(schema: Schema<T>): Schema<Lazy<T>> {
  const inner = nodeOf(schema)
  const skip: NodeSpec<Lazy<T>>['skip'] = (r) => {
    const outer = r.beginBody()
    inner.skip(r)
    r.endBody(outer)
  }
  const spec: NodeSpec<Lazy<T>> = {
    minSize: 1 + inner.minSize,
    put: (w, value) => {
      if (!(value instanceof LazyHandle) || !value.isOf(inner))
        misuse('a handle that lazyOf or lazyFromBytes made', value)
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
      inner.skip(r)
      r.endBody(outer)
      return new LazyHandle(r.buf.subarray(start, r.pos), inner, r.context)
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
