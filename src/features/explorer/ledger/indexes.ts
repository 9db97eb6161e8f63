/** Owns the read indexes of the explorer: movements, activity, totals and metrics over time. */

import type { Numeric } from '../../../codec/index.js'
import type { HistoryKeys, IndexRun } from '../../../executor/reads.js'
import { balances } from '../../../ledger/tables.js'
import { type CandidateRow, type RowKey, rowKey, tableIdOf } from '../../../state/index.js'
import { changesOf } from '../schema/changes.js'
import { activityEntries } from './activity.js'
import { seriesEntries } from './series.js'
import { movementEntries, movementKeys } from './statement.js'
import { totalEntries } from './totals.js'

/** Balances after a block; undefined for a deleted row. */
function balancesIn(rows: readonly CandidateRow[]): ReadonlyMap<RowKey, Buffer | undefined> {
  return new Map(
    rows.filter(({ row }) => tableIdOf(row) === balances.id).map(({ row, bytes }) => [row, bytes] as const),
  )
}

/** Balance of a changed row; undefined if the row was deleted or not changed. */
function balanceOf(bytes: Buffer | undefined): Numeric | undefined {
  if (bytes === undefined) return undefined
  const decoded = balances.value.decode(bytes)
  if (!decoded.ok) throw new Error('a balance has a malformed value')
  return decoded.value
}

/** Index changes of one block; history is never removed. */
export const explorerIndexes: IndexRun = (block) => {
  const { height, timeMs, entries, results, events, rows, before } = block
  const changes = changesOf(events)
  const changed = balancesIn(changes.length > 0 ? rows : [])
  const movements = movementEntries({
    height,
    timeMs,
    changes,
    transaction: (at) => {
      const entry = entries[at]
      return entry === undefined ? undefined : { id: entry.id, payload: entry.signed.payload.value }
    },
    balance: (asset) => balanceOf(changed.get(rowKey(balances, asset))),
  })
  const activity = activityEntries({ height, entries, results, events, changes })
  return { put: [...movements, ...activity, ...totalEntries(rows, before), ...seriesEntries(block)], del: [] }
}

/**
 * Keys that belong to one block: entries of movements and activity. Entries of totals and series belong to all blocks.
 */
export const explorerHistory: HistoryKeys = ({ height, timeMs, entries, results, events }) => {
  const changes = changesOf(events)
  const activity = activityEntries({ height, entries, results, events, changes })
  return [...movementKeys({ height, timeMs, changes }), ...activity.map(([key]) => key)]
}
