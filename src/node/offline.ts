/** Owns the use of a data directory by commands while its node does not run. */
import { join } from 'node:path'
import type { Abi } from '../executor/index.js'
import { NEWEST_ABI, startAbi } from '../features/abi.js'
import { LedgerError } from '../model/index.js'
import { exists, FORMAT_FILE, openDataDir } from '../storage/index.js'
import type { NodeConfig } from './config/index.js'
import { type PinnedGenesis, readPinnedGenesis } from './identity.js'

/** A data directory that nobody else uses meanwhile. */
export interface OfflinePlace {
  readonly folder: string
  readonly abi: Abi
  readonly pinned: PinnedGenesis
}

/**
 * Locks the data directory of a configuration, or another one of the same network, for the time of `work`.
 *
 * @throws LedgerError `data_dir_locked` while its node runs, `file_missing`, `genesis_mismatch`
 */
export async function withDataDir<T>(
  config: NodeConfig,
  dataDir: string | undefined,
  work: (place: OfflinePlace) => Promise<T>,
): Promise<T> {
  const folder = dataDir ?? config.dataDir
  const pinned = await readPinnedGenesis(config, NEWEST_ABI)
  const abi = startAbi(pinned.genesis.payload.value.abi)
  if (!(await exists(join(folder, FORMAT_FILE)))) {
    throw new LedgerError('file_missing', `${folder} is not a data directory of a node`, { details: { path: folder } })
  }
  const { chain } = pinned.genesis.payload.value
  const held = await openDataDir(folder, { chain, genesisHash: pinned.hash })
  try {
    return await work({ folder, abi, pinned })
  } finally {
    await held.close()
  }
}
