/** Owns reads of ranges: records of a table and entries of the read indexes, in the byte order of their keys. */
import type { CodecContext } from '../codec/index.js'
import type { StateView } from './backend.js'
import { indexBounds, rowDbKey, SPACE } from './key-space.js'
import { rowKey, type TableDef } from './table.js'

/** Records of a table after a key. */
export interface TableRange<K> {
  readonly after?: K | undefined
  readonly limit: number
  /** Size in bytes beyond which the range ends; includes the record that exceeds it. */
  readonly maxBytes?: number
}

/** Range of the read indexes, by keys without their space prefix. */
export interface IndexRange {
  readonly gte: Uint8Array
  readonly lt?: Uint8Array
  readonly reverse?: boolean
  readonly limit: number
}

/** Records of a table; not a snapshot across reads of a store that changes. Throws if a record does not decode. */
export async function rowsOf<K, V>(
  view: Pick<StateView, 'range'>,
  table: TableDef<K, V>,
  { after, limit, maxBytes }: TableRange<K>,
  context: CodecContext | undefined,
): Promise<{ key: K; value: V; bytes: number }[]> {
  const prefix = Buffer.from([SPACE.row, table.id >> 8, table.id & 0xff])
  const lt = Buffer.from([SPACE.row, (table.id + 1) >> 8, (table.id + 1) & 0xff])
  const gte = after === undefined ? prefix : Buffer.concat([rowDbKey(rowKey(table, after)), Buffer.of(0)])
  const found: { key: K; value: V; bytes: number }[] = []
  let left = maxBytes ?? Number.POSITIVE_INFINITY
  for await (const [dbKey, bytes] of view.range({ gte, lt, limit })) {
    const key = table.key.decode(dbKey.subarray(3), context)
    const value = table.value.decode(bytes, context)
    if (!key.ok || !value.ok) throw new Error(`table ${table.name}: a record in the database does not decode`)
    found.push({ key: key.value, value: value.value, bytes: bytes.length })
    left -= bytes.length
    if (left < 0) break
  }
  return found
}

/** Entries of the read indexes as they were when the iteration began. */
export async function* indexEntriesOf(
  view: Pick<StateView, 'range'>,
  range: IndexRange,
): AsyncIterable<readonly [Buffer, Buffer]> {
  for await (const [key, value] of view.range(indexBounds(range))) yield [key.subarray(1), value]
}
