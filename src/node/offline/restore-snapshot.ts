/**
 * Owns the creation of a data directory from a snapshot: built in a draft folder, moved into place atomically, without
 * a vote log.
 */

import { join } from 'node:path'
import type { CryptoService } from '../../crypto/index.js'
import { blockOutcome } from '../../model/index.js'
import { LevelBackend } from '../../state/index.js'
import { BlockStore, openDataDir } from '../../storage/index.js'
import { publishDataDir, publishDirectory } from '../process/publish-directory.js'
import type { OnRead } from '../snapshot/format.js'
import { type LoadedSnapshot, loadSnapshot } from '../snapshot/load.js'
import { type OfflinePlace, recordsOf } from './offline.js'

export interface RestoreOptions {
  readonly path: string
  readonly crypto: CryptoService
  readonly treeBits: number
  readonly trustedBlock?: Uint8Array | undefined
  readonly onRead?: OnRead
}

/**
 * Build the data directory of `place` from a snapshot. It has no vote log: as a validator the node abstains until the
 * rule of docs/design/consensus.md 8 lets it vote again. A crash leaves nothing at the path. Throws `data_dir_locked`
 * while a node fills the directory itself.
 */
export const restoreSnapshot = (place: OfflinePlace, options: RestoreOptions): Promise<LoadedSnapshot> =>
  publishDataDir(place.folder, (draft) => build(place, options, draft))

/** Like `restoreSnapshot`, for the node that fills the directory and holds its lock. */
export const buildFromSnapshot = (place: OfflinePlace, options: RestoreOptions): Promise<LoadedSnapshot> =>
  publishDirectory(place.folder, (draft) => build(place, options, draft))

async function build(place: OfflinePlace, options: RestoreOptions, draft: string): Promise<LoadedSnapshot> {
  const { pinned } = place
  const abi = recordsOf(place)
  const { genesis } = pinned
  const { chain, addressPrefix } = genesis.payload.value
  const dir = await openDataDir(draft, { chain, genesisHash: pinned.hash })
  const store = await BlockStore.open(draft, {})
  const backend = await LevelBackend.open(join(draft, 'state'))
  let loaded: LoadedSnapshot
  try {
    const outcome = blockOutcome.encode({ results: [], events: [], texts: [] }, abi.codec(addressPrefix))
    const body = Buffer.from(genesis.payload.bytes)
    await store.append({ header: genesis.header, certificate: undefined, body, entries: [], outcome })
    loaded = await loadSnapshot({
      ...options,
      certificates: 'needed',
      abi,
      pinned,
      backend,
      onHeaders: (headers) => store.appendHeaders(headers),
    })
  } finally {
    await Promise.all([backend.close(), store.close()])
    await dir.close()
  }
  return loaded
}
