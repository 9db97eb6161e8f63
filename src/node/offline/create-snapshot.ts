/** Owns snapshots of a stopped node: one new file, at the last committed height. */
import { join } from 'node:path'
import { LevelBackend, WorldState } from '../../state/index.js'
import { BlockStore } from '../../storage/index.js'
import { openLedger } from '../ledger/open.js'
import { UNPACED } from '../snapshot/pacer.js'
import { writeSnapshot } from '../snapshot/write.js'
import { type OfflinePlace, recordsOf } from './offline.js'

/** Summary of a snapshot file. */
export interface SnapshotSummary {
  readonly chain: string
  readonly height: number
  readonly blockHash: Uint8Array
  readonly stateRoot: Uint8Array
  readonly rows: number
}

/**
 * Write the state of a stopped node to a new file.
 *
 * @throws LedgerError `file_exists`, and the errors of `writeSnapshot`
 */
export async function createSnapshot(
  place: OfflinePlace,
  path: string,
  onRow?: (count: number) => void,
): Promise<SnapshotSummary> {
  const { folder, pinned } = place
  const records = recordsOf(place)
  const { genesis } = pinned
  const codec = records.codec(genesis.payload.value.addressPrefix)
  // Bring the state up to the last stored block; a crash may have left it behind.
  await (await openLedger({ ...place, genesis })).close()
  const store = await BlockStore.open(folder, {})
  const backend = await LevelBackend.open(join(folder, 'state'))
  try {
    const world = await WorldState.open({ backend, context: codec })
    const state = await world.frozen()
    try {
      const source = { state, store, genesis, codec, records }
      const { head, rows } = await writeSnapshot(path, source, { pacer: UNPACED, onRow })
      return { ...head, rows }
    } finally {
      await state.close()
    }
  } finally {
    await Promise.all([backend.close(), store.close()])
  }
}
