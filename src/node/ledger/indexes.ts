/** Owns the index entries of a block: transactions, balances per account, replay ids; written in its state batch. */
import type { Numeric } from '../../codec/index.js'
import type { ExecutableEntry } from '../../executor/index.js'
import { domainIndexes } from '../../features/accounts/ledger/indexes.js'
import { activityEntries } from '../../features/explorer/ledger/activity.js'
import { changesOf, movementEntries } from '../../features/explorer/ledger/statement.js'
import { type StateBefore, totalEntries } from '../../features/explorer/ledger/totals.js'
import { nftIndexes } from '../../features/nfts/ledger/indexes.js'
import { permissionIndexes } from '../../features/permissions/ledger/indexes.js'
import { accountBalanceKey, transactionKey, transactionPlace } from '../../ledger/indexes.js'
import { balances } from '../../ledger/tables.js'
import type { EntryResult, RecordedEvent } from '../../model/index.js'
import {
  type CandidateRow,
  type IndexChanges,
  type RowKey,
  rowKey,
  rowKeyBytes,
  TABLE_ID_BYTES,
  tableIdOf,
} from '../../state/index.js'

/** First bytes of the ledger's own index keys; the core's start at 1, features' at 100. */
const REPLAY_ID = 0x80
const REPLAY_BLOCK = 0x81

/** Key under which the id of a committed transaction stands until it expires. */
export const replayIdKey = (id: Uint8Array): Buffer => Buffer.concat([Buffer.of(REPLAY_ID), id])

/** Key of the list of ids of a block, so that they can leave together. */
export function replayBlockKey(height: number): Buffer {
  const key = Buffer.alloc(7)
  key[0] = REPLAY_BLOCK
  key.writeUIntBE(height, 1, 6)
  return key
}

/** Value of entries whose key says it all. */
const NOTHING = Buffer.alloc(0)

/** The state before genesis. */
const NOTHING_BEFORE: StateBefore = { hasRow: () => false, indexGet: () => undefined }

/** Genesis of a snapshot: rows without the events that made them. */
const NO_EVENTS = { timeMs: 0, events: [], results: [] }

function causeOf(entry: ExecutableEntry | undefined) {
  return entry === undefined ? undefined : { id: entry.id, payload: entry.signed.payload.value }
}

/** Balance of a changed row; undefined when the row was deleted or not changed. */
function balanceOf(bytes: Buffer | undefined): Numeric | undefined {
  if (bytes === undefined) return undefined
  const decoded = balances.value.decode(bytes)
  if (!decoded.ok) throw new Error('a balance has a malformed value')
  return decoded.value
}

/**
 * Index changes of one block, from the rows of its candidate and the state before it. `expired`: id lists of the replay
 * windows that ended.
 */
export function blockIndexes(
  height: number,
  entries: readonly ExecutableEntry[],
  rows: readonly CandidateRow[],
  expired: readonly { readonly height: number; readonly ids: Buffer }[],
  block: {
    readonly timeMs: number
    readonly events: readonly RecordedEvent[]
    readonly results: readonly EntryResult[]
  } = NO_EVENTS,
  before: StateBefore = NOTHING_BEFORE,
): IndexChanges {
  const { timeMs, events, results } = block
  const put: [Uint8Array, Uint8Array][] = []
  const del: Uint8Array[] = []
  const changed = new Map<RowKey, Buffer | undefined>()
  for (const [index, entry] of entries.entries()) {
    put.push([transactionKey(entry.id), transactionPlace(height, index)])
    put.push([replayIdKey(entry.id), NOTHING])
  }
  if (entries.length > 0) put.push([replayBlockKey(height), Buffer.concat(entries.map((entry) => entry.id))])
  for (const window of expired) {
    del.push(replayBlockKey(window.height))
    for (let at = 0; at < window.ids.length; at += 32) del.push(replayIdKey(window.ids.subarray(at, at + 32)))
  }
  for (const { row, bytes } of rows) {
    if (tableIdOf(row) !== balances.id) continue
    changed.set(row, bytes)
    // A balance that only changed stands in the index of its holder already.
    if (bytes !== undefined && before.hasRow(row)) continue
    const key = balances.key.decode(rowKeyBytes(row).subarray(TABLE_ID_BYTES))
    if (!key.ok) throw new Error('a balance has a malformed key')
    const at = accountBalanceKey(key.value.account, key.value.definition)
    if (bytes === undefined) del.push(at)
    else put.push([at, NOTHING])
  }
  const changes = changesOf(events)
  if (changes.length > 0) {
    put.push(
      ...movementEntries({
        height,
        timeMs,
        changes,
        transaction: (at) => causeOf(entries[at]),
        balance: (asset) => balanceOf(changed.get(rowKey(balances, asset))),
      }),
    )
  }
  const activity = activityEntries({ height, entries, results, changes })
  const derived = [nftIndexes, domainIndexes, permissionIndexes].map((make) => make(rows, events))
  return {
    put: [...put, ...activity, ...derived.flatMap((one) => one.put), ...totalEntries(rows, before)],
    del: [...del, ...derived.flatMap((one) => one.del)],
  }
}
