/** Owns rows in the layers of a state: a value, its canonical bytes, or both. */
import type { CodecContext } from '../codec/index.js'
import { StateFault } from './fault.js'
import type { RowTable } from './table.js'

/** Row of one layer; deleted if it has neither value nor bytes. */
export interface HeldRow {
  value: unknown
  /** Canonical bytes, unless they were dropped. */
  bytes: Buffer | undefined
  /** Length of the canonical bytes; undefined until the value is encoded. */
  size: number | undefined
  /** Encoder of a written row that is not encoded yet. */
  readonly table: RowTable<unknown> | undefined
}

/** Row that does not exist. */
export const ABSENT_ROW: HeldRow = Object.freeze({ value: undefined, bytes: undefined, size: 0, table: undefined })

export const isAbsent = ({ value, bytes }: HeldRow): boolean => value === undefined && bytes === undefined

/** Record of a row, decoding its bytes once; undefined if the row does not exist. */
export function valueOfHeld<V>(held: HeldRow, table: RowTable<V>, context: CodecContext | undefined): V | undefined {
  if (held.value === undefined && held.bytes !== undefined) {
    const decoded = table.value.decode(held.bytes, context)
    // This schema encoded the bytes, so a failure means a corrupt database or a changed table.
    if (!decoded.ok) throw new StateFault(`state record of table ${table.name} is corrupt: ${decoded.fault.message}`)
    held.value = decoded.value
    held.bytes = undefined
  }
  return held.value as V | undefined
}

/** Length of the canonical bytes of a row, encoding them once; undefined if the row does not exist. */
export function sizeOfHeld(held: HeldRow, context: CodecContext | undefined): number | undefined {
  if (isAbsent(held)) return undefined
  return held.size ?? encodedOf(held, context).length
}

/** Canonical bytes of a changed row; undefined if it was deleted. */
export const bytesOfHeld = (held: HeldRow, context: CodecContext | undefined): Buffer | undefined =>
  isAbsent(held) ? undefined : encodedOf(held, context)

/** Canonical bytes of a written row, encoded once. */
function encodedOf(held: HeldRow, context: CodecContext | undefined): Buffer {
  if (held.bytes === undefined) {
    if (held.table === undefined) throw new Error('the bytes of a stored row are not kept')
    held.bytes = held.table.value.encode(held.value, context)
    held.size = held.bytes.length
  }
  return held.bytes
}
