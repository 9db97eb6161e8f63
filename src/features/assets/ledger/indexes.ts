/** Owns the read index of balances by account, from the rows of a block. */
import type { IndexRun } from '../../../executor/reads.js'
import { accountBalanceKey, PRESENT } from '../../../ledger/indexes.js'
import { balances } from '../../../ledger/tables.js'
import { rowKeyBytes, TABLE_ID_BYTES, tableIdOf } from '../../../state/index.js'

/** Index changes of one block. A balance with only a new amount is already in the index of its holder. */
export const assetIndexes: IndexRun = ({ rows, before }) => {
  const put: [Uint8Array, Uint8Array][] = []
  const del: Uint8Array[] = []
  for (const { row, bytes } of rows) {
    if (tableIdOf(row) !== balances.id) continue
    if (bytes !== undefined && before.hasRow(row)) continue
    const key = balances.key.decode(rowKeyBytes(row).subarray(TABLE_ID_BYTES))
    if (!key.ok) throw new Error('a balance has a malformed key')
    const at = accountBalanceKey(key.value.account, key.value.definition)
    if (bytes === undefined) del.push(at)
    else put.push([at, PRESENT])
  }
  return { put, del }
}
