/** Owns the rows of one table among those that a block wrote: what read indexes are made from. */
import { type CandidateRow, rowKeyBytes, TABLE_ID_BYTES, type TableDef, tableIdOf } from '../state/index.js'

/** Keys and values of the rows of a table that the block left behind; deleted ones are not among them. */
export function* changedRows<K, V>(
  { id, name, key, value }: TableDef<K, V>,
  rows: readonly CandidateRow[],
): Generator<{ readonly key: K; readonly value: V }> {
  for (const { row, bytes } of rows) {
    if (bytes === undefined || tableIdOf(row) !== id) continue
    const [read, written] = [key.decode(rowKeyBytes(row).subarray(TABLE_ID_BYTES)), value.decode(bytes)]
    if (!read.ok || !written.ok) throw new Error(`table ${name}: a row of the block does not decode`)
    yield { key: read.value, value: written.value }
  }
}
