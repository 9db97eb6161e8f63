/**
 * Owns the transfer of the replay window from a snapshot into a state. Like rows, ids are written as they are read, and
 * verified once the rows contain their digests. The window may therefore be as long as the time to live allows.
 */

import { sameBytes } from '../../base/bytes.js'
import { hash } from '../../crypto/index.js'
import { replay } from '../../executor/index.js'
import { PRESENT } from '../../ledger/indexes.js'
import { LedgerError } from '../../model/index.js'
import type { WorldState } from '../../state/index.js'
import { replayBlockKey, replayIdKey } from '../chain/indexes.js'
import type { ReplayIds } from './format.js'

/** Bytes of rows or transaction ids in one batch: the cost of a batch does not depend on its size. */
export const COMMIT_BYTES = 1024 * 1024

const ID_BYTES = 32
/** Digests checked in one slice: some milliseconds, after which the thread handles other messages. */
const PAGE_ROWS = 64

const invalid = (what: string): LedgerError => new LedgerError('snapshot_invalid', what)

const idsOf = (ids: Uint8Array): Uint8Array[] =>
  Array.from({ length: ids.length / ID_BYTES }, (_, at) => ids.subarray(at * ID_BYTES, (at + 1) * ID_BYTES))

/** Writer of the ids of a snapshot into the index of a state. */
export class WindowLoader {
  private last = 0
  private blocks = 0
  private put: [Uint8Array, Uint8Array][] = []
  private bytes = 0
  constructor(private readonly world: WorldState) {}

  /** Add the ids of the next blocks of a snapshot at a height. Throws `snapshot_invalid`. */
  async take(chunk: readonly ReplayIds[], height: number): Promise<void> {
    for (const { height: block, ids } of chunk) {
      if (block <= this.last) throw invalid('its transaction ids are not in order')
      if (block > height) throw invalid(`transaction ids of block ${block}, above height ${height} of the snapshot`)
      // A block without transactions has no entry: entries without ids would accumulate without a bound.
      if (ids.length === 0 || ids.length % ID_BYTES !== 0) throw wrong(block)
      this.last = block
      this.blocks += 1
      this.bytes += ids.length
      this.put.push([replayBlockKey(block), ids])
      for (const id of idsOf(ids)) this.put.push([replayIdKey(id), PRESENT])
      if (this.bytes >= COMMIT_BYTES) await this.flush(height)
    }
  }

  /** Write the waiting ids to the state. */
  async flush(height: number): Promise<void> {
    const { world, put } = this
    this.put = []
    this.bytes = 0
    await world.commit(world.prepareRows([]), { height, indexes: { put } })
  }

  /** Throw `snapshot_invalid` unless the ids match the digests in the state exactly. */
  async verify(): Promise<void> {
    const { world } = this
    let found = 0
    for (let rows = await world.rowRange(replay, { limit: PAGE_ROWS }); rows.length > 0; ) {
      for (const { key, value } of rows) {
        const ids = world.indexGet(replayBlockKey(key))
        if (ids === undefined) throw invalid(`the transaction ids of block ${key} are missing`)
        if (!sameBytes(hash('ids', ...idsOf(ids)), value.digest)) throw wrong(key)
      }
      found += rows.length
      rows = await world.rowRange(replay, { after: rows.at(-1)?.key, limit: PAGE_ROWS })
    }
    if (found !== this.blocks) throw invalid('transaction ids of blocks outside of the replay window')
  }
}

const wrong = (block: number): LedgerError => invalid(`the transaction ids of block ${block} differ from the state`)
