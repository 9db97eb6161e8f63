/**
 * Owns the writing of rows into a warehouse: each batch together with the cursor. After any failure it resumes at the
 * cursor, without duplicates or gaps.
 */
import type { CausewayClient } from '../client/index.js'
import { chainRows } from './chain-rows.js'
import type { Naming } from './ledger-rows.js'
import type { Warehouse } from './warehouse.js'

/** Progress of a follower. */
export interface Followed {
  /** Last written block. */
  readonly height: number
  /** Number of rows of this batch. */
  readonly rows: number
  readonly blocks: number
}

export interface FollowOptions {
  readonly client: CausewayClient
  readonly warehouse: Warehouse
  readonly naming: Naming
  /** Last height to write; undefined to follow the chain. */
  readonly until: number | undefined
  readonly signal: AbortSignal
  readonly onBatch: (followed: Followed) => void
}

/**
 * Follow the chain until the signal is aborted or `until` is written. Rejects with the error that ended it, and can be
 * called again.
 */
export async function follow({ client, warehouse, naming, until, signal, onBatch }: FollowOptions): Promise<void> {
  const after = await warehouse.cursor()
  let written = after?.height ?? 0
  for await (const batch of chainRows({ client, naming, balances: warehouse, after, until, signal })) {
    const { rows, count, blocks, cursor } = batch
    await warehouse.write(rows, cursor, written)
    written = cursor.height
    onBatch({ height: written, rows: count, blocks })
  }
}
