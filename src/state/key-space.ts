/** Owns the division of the key space of the state database, by the first byte of a key. */
import type { KeyRange } from './backend.js'
import type { RowKey } from './table.js'

/** First bytes of keys. Append only, because they are stored on disk. */
export const SPACE = { row: 1, page: 2, delta: 3, chunk: 4, index: 5, meta: 6 } as const

/** Database key of a record. */
export function rowDbKey(row: RowKey): Buffer {
  const key = Buffer.allocUnsafe(1 + row.length)
  key[0] = SPACE.row
  key.write(row, 1, 'latin1')
  return key
}

/** Database key of a numbered tree record: buckets, blocks, chunks; big-endian, so that they iterate in order. */
export function numberedDbKey(space: number, number: number): Buffer {
  const key = Buffer.allocUnsafe(7)
  key[0] = space
  key.writeUIntBE(number, 1, 6)
  return key
}

/** Number in a key of a numbered tree record. */
export const numberOfDbKey = (key: Buffer): number => key.readUIntBE(1, 6)

/** Database key of bytes inside a space. */
export function prefixedDbKey(space: number, bytes: Uint8Array): Buffer {
  const key = Buffer.allocUnsafe(1 + bytes.length)
  key[0] = space
  key.set(bytes, 1)
  return key
}

/** Database key of a named value of the node's own bookkeeping. */
export const metaDbKey = (name: string): Buffer => prefixedDbKey(SPACE.meta, Buffer.from(`user/${name}`, 'utf8'))

/** Database range of a range of the read indexes. */
export const indexBounds = (range: {
  readonly gte: Uint8Array
  readonly lt?: Uint8Array
  readonly reverse?: boolean
  readonly limit: number
}): KeyRange => ({
  gte: prefixedDbKey(SPACE.index, range.gte),
  lt: range.lt === undefined ? Buffer.of(SPACE.index + 1) : prefixedDbKey(SPACE.index, range.lt),
  reverse: range.reverse === true,
  limit: range.limit,
})
