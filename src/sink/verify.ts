/**
 * Owns the comparison of a warehouse with the chain: rows of verified blocks are rebuilt, as by a sink, and compared
 * cell by cell with the tables of the same heights.
 */
import { chainPlace } from '../client/chain-verifier.js'
import { type CausewayClient, routes } from '../client/index.js'
import { verifyFinality } from '../client/proofs.js'
import { toHex } from '../codec/index.js'
import { InlineCrypto } from '../crypto/index.js'
import { FIRST_VOTED_HEIGHT, GENESIS_HEIGHT, genesisSeed, hashOfHeader, LedgerError } from '../model/index.js'
import { type ChainBatch, chainOf, chainRows } from './chain-rows.js'
import { Differences, keyOf } from './differences.js'
import type { Naming } from './ledger-rows.js'
import { CURSOR_COLUMNS, CURSOR_TABLE, viewStatement } from './migrations.js'
import { type Row, TABLES, type Table, VIEWS } from './tables.js'
import type { Cursor, Warehouse } from './warehouse.js'

export interface Verification {
  readonly client: CausewayClient
  readonly warehouse: Warehouse
  readonly naming: Naming
  /** First height whose rows are compared. */
  readonly from: number
  /** Last height; undefined for the height of the cursor. */
  readonly to: number | undefined
  readonly signal: AbortSignal
  /** Called when blocks up to a height are compared. */
  readonly onBatch: (height: number, last: number) => void
}

/** Result of a comparison. */
export interface Verified {
  /** Last compared height; below `last` if the signal was aborted, or the comparison ended early with differences. */
  readonly height: number
  readonly last: number
  readonly rows: number
  /** First differences, as sentences; empty if there are none. */
  readonly differences: readonly string[]
}

/** Compare tables, columns and views with those of a sink; false if a table cannot be read. */
async function compareStructure(warehouse: Warehouse, differences: Differences): Promise<boolean> {
  const cursor = { name: CURSOR_TABLE, columns: CURSOR_COLUMNS.map((name) => ({ name })) }
  let isWhole = true
  for (const { name, columns } of [...TABLES, cursor]) {
    const found = await warehouse.structure(name)
    const held = found?.kind === 'table' ? found.columns : undefined
    const lacking = held === undefined ? [] : columns.filter((column) => !held.includes(column.name))
    if (held === undefined) differences.add(`${name}: no such table`)
    for (const column of lacking) differences.add(`${name}: no column ${column.name}`)
    isWhole &&= held !== undefined && lacking.length === 0
  }
  for (const view of VIEWS) {
    const found = await warehouse.structure(view.name)
    if (found?.kind !== 'view') differences.add(`${view.name}: no such view`)
    else if ((found.statement ?? viewStatement(view, '')) !== viewStatement(view, '')) {
      differences.add(`${view.name}: the query of the view differs`)
    }
  }
  return isWhole
}

/** Position after the block before a height, proven from genesis. Throws `proof_invalid`. */
async function cursorBefore(client: CausewayClient, chain: Pick<Cursor, 'chain' | 'genesisHash'>, from: number) {
  const height = from - 1
  const proof = await client.route(routes.explorer.finality, { params: { height }, query: {} })
  const crypto = await InlineCrypto.create()
  try {
    const result = await verifyFinality(proof, Buffer.from(chain.genesisHash, 'hex'), crypto)
    const fault = result.ok && result.block.header.height !== height ? 'its height differs' : undefined
    if (!result.ok || fault !== undefined) {
      throw new LedgerError('proof_invalid', `block ${height}: ${result.ok ? fault : result.fault}`)
    }
    const { header } = result.block
    const { epoch, seed, roster: keys } = result.checkpoint
    const place = { header, genesisSeed: genesisSeed(proof.genesisPayload), roster: { epoch, seed, keys } }
    return { ...chain, height, hash: toHex(hashOfHeader(header)), place: toHex(chainPlace.encode(place)) }
  } finally {
    await crypto.close()
  }
}

/** Compare the rows of a table at the heights of a batch. */
async function compareTable(
  { warehouse }: Verification,
  table: Table,
  { rows, first, cursor }: ChainBatch,
  differences: Differences,
): Promise<void> {
  const made = rows.get(table) ?? []
  const wanted = new Map<string, Row>()
  if (made.length > 0) {
    for (const row of await warehouse.asHeld(table, made)) wanted.set(JSON.stringify(keyOf(table, row)), row)
  }
  // As many rows as the chain has, plus those that fill the report.
  const limit = made.length + differences.room
  const found = await warehouse.rowsBetween(table, first, cursor.height, limit)
  for (const row of found) {
    const key = JSON.stringify(keyOf(table, row))
    const chain = wanted.get(key)
    if (chain === undefined) differences.extra(table, row)
    else if (wanted.delete(key)) differences.cells(table, row, chain)
  }
  if (found.length === limit) return
  for (const row of wanted.values()) {
    if (differences.isFull) return
    // A row may have another height.
    const elsewhere = await warehouse.rowOf(table, keyOf(table, row))
    if (elsewhere === undefined) differences.missing(table, row)
    else differences.cells(table, elsewhere, row)
  }
}

/** Compare the cursor with the position after its block. */
function compareCursor(held: Cursor, chain: Cursor, differences: Differences): void {
  for (const name of ['chain', 'hash', 'place'] as const) {
    if (held[name] !== chain[name]) differences.add(`${CURSOR_TABLE}, ${name}: differs from block ${chain.height}`)
  }
}

/** Range of compared heights. Throws `sink_conflict`, `usage`. */
async function rangeOf(
  { client, from: first, to }: Verification,
  cursor: Cursor | undefined,
): Promise<{ readonly from: number; readonly last: number }> {
  if (cursor === undefined) throw new LedgerError('sink_conflict', 'cannot verify: the tables contain no block')
  // The block after genesis is verified by genesis.
  const from = first <= FIRST_VOTED_HEIGHT ? GENESIS_HEIGHT : first
  const last = to ?? cursor.height
  const node = await client.height()
  if (!Number.isSafeInteger(cursor.height) || cursor.height > node) {
    throw new LedgerError(
      'sink_conflict',
      `cannot verify: the cursor is at block ${cursor.height}, but the node is at ${node}`,
      {
        hint: 'Use a node that has the blocks: --gateway.',
      },
    )
  }
  if (last > cursor.height) {
    throw new LedgerError('usage', `cannot verify to block ${last}: the tables end at block ${cursor.height}`)
  }
  if (from > last) throw new LedgerError('usage', `cannot verify from block ${from}: the last block is ${last}`)
  return { from, last }
}

/**
 * Compare until the last height, an aborted signal or a full list of differences. Throws the error that prevented a
 * comparison.
 */
export async function verifyRows(verification: Verification): Promise<Verified> {
  const { client, warehouse, naming, to, signal, onBatch } = verification
  const differences = new Differences()
  if (!(await compareStructure(warehouse, differences))) {
    return { height: 0, last: 0, rows: 0, differences: differences.list }
  }
  const held = await warehouse.cursor()
  const chain = await chainOf(client, held)
  const { from, last } = await rangeOf(verification, held)
  const after = from === GENESIS_HEIGHT ? undefined : await cursorBefore(client, chain, from)
  let height = from - 1
  let rows = 0
  try {
    for await (const batch of chainRows({ client, naming, balances: warehouse, after, until: last, signal })) {
      for (const table of TABLES) {
        if (!differences.isFull) await compareTable(verification, table, batch, differences)
      }
      height = batch.cursor.height
      rows += batch.count
      onBatch(height, last)
      if (differences.isFull) break
      if (held !== undefined && to === undefined && height === last) compareCursor(held, batch.cursor, differences)
    }
    if (height < last && !differences.isFull && !signal.aborted) {
      throw new LedgerError('unreachable', `the gateway stopped sending blocks at ${height}, before ${last}`)
    }
    for (const table of TABLES) {
      if (signal.aborted || differences.isFull) break
      for (const row of await warehouse.rowsOutside(table, differences.room)) differences.extra(table, row)
    }
  } catch (error) {
    // Later blocks cannot be computed from rows that differ.
    if (differences.list.length === 0) throw error
  }
  return { height, last, rows, differences: differences.list }
}
