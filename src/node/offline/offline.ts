/** Owns access of commands to a data directory while its node does not run. */
import { join } from 'node:path'
import type { Abi } from '../../executor/index.js'
import { ABIS, NEWEST_ABI, startAbi } from '../../features/abi.js'
import { LedgerError } from '../../model/index.js'
import { exists, FORMAT_FILE, openDataDir, requireNotJoining } from '../../storage/index.js'
import type { NodeConfig } from '../config/index.js'
import { type PinnedGenesis, readPinnedGenesis } from '../identity/identity.js'

/** Data directory locked for exclusive use. */
export interface OfflinePlace {
  readonly folder: string
  /** ABI of genesis. */
  readonly abi: Abi
  /** ABIs of the release, by number; absent: the ABI of genesis alone. */
  readonly abis?: ReadonlyMap<number, Abi>
  readonly pinned: PinnedGenesis
}

/** Newest ABI of a data directory; it has the records of all earlier ABIs. */
export const recordsOf = ({ abi, abis = new Map() }: Pick<OfflinePlace, 'abi' | 'abis'>): Abi =>
  [...abis.values()].reduce((newest, one) => (one.number > newest.number ? one : newest), abi)

/**
 * Lock the data directory of a configuration, or another data directory of the same network, while `work` runs.
 *
 * @throws LedgerError `data_dir_locked` while its node runs or fills it from a snapshot, `file_missing`,
 * `genesis_mismatch`
 */
export async function withDataDir<T>(
  config: NodeConfig,
  dataDir: string | undefined,
  work: (place: OfflinePlace) => Promise<T>,
): Promise<T> {
  const folder = dataDir ?? config.dataDir
  const pinned = await readPinnedGenesis(config, NEWEST_ABI)
  const abi = startAbi(pinned.genesis.payload.value.abi)
  await requireNotJoining(folder)
  if (!(await exists(join(folder, FORMAT_FILE)))) {
    throw new LedgerError('file_missing', `${folder} is not a data directory of a node`, { details: { path: folder } })
  }
  const { chain } = pinned.genesis.payload.value
  const held = await openDataDir(folder, { chain, genesisHash: pinned.hash })
  try {
    return await work({ folder, abi, abis: ABIS, pinned })
  } finally {
    await held.close()
  }
}
