/** Owns the source fragments of one operation of one node: its own fragment, or a call of the node. */
import type { EmitScope, SchemaNode } from './node.js'

/** Statement that writes `value`, an expression without side effects. */
export const emitPut = (node: SchemaNode<any>, value: string, gen: EmitScope): string =>
  node.emit?.put(value, gen) ?? `${gen.ref(node)}.put(w,${value});`

/** Expression that reads a value. */
export const emitTake = (node: SchemaNode<any>, gen: EmitScope): string =>
  node.emit?.take(gen) ?? `${gen.ref(node)}.take(r)`

/** Statement that checks and skips a value. */
export function emitSkip(node: SchemaNode<any>, gen: EmitScope): string {
  if (node.emit === undefined) return `${gen.ref(node)}.skip(r);`
  return node.emit.fixed === undefined ? node.emit.skip(gen) : `r.skip(${node.emit.fixed});`
}
