/** Owns the start of a data directory from a snapshot: built beside its place, moved there whole, without a vote log. */

import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { CryptoService } from '../../crypto/index.js'
import { blockOutcome, LedgerError } from '../../model/index.js'
import { LevelBackend } from '../../state/index.js'
import { BlockStore, openDataDir, syncFolder, VOTE_LOG_FILE } from '../../storage/index.js'
import type { OfflinePlace } from '../offline.js'
import { type LoadedSnapshot, loadSnapshot } from './load.js'

export interface RestoreOptions {
  readonly path: string
  readonly crypto: CryptoService
  readonly treeBits: number
  readonly trustedBlock?: Uint8Array | undefined
  readonly onRows?: (count: number) => void
}

/** Throws `file_exists` unless nothing, or an empty folder, stands at the place. */
export async function requireEmptyPlace(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (entries.length === 0) return
  throw new LedgerError('file_exists', `${folder} is not empty`, {
    hint: 'Move the old data directory away: what it holds may still be needed.',
  })
}

/**
 * Builds the data directory of `place` from a snapshot. It has no vote log: as a validator the node abstains until the
 * rule of design/consensus.md 8 lets it vote again. A crash on the way leaves nothing at the place.
 */
export async function restoreSnapshot(place: OfflinePlace, options: RestoreOptions): Promise<LoadedSnapshot> {
  const { folder } = place
  await requireEmptyPlace(folder)
  const draft = join(dirname(folder), `.${basename(folder)}.${randomBytes(4).toString('hex')}.tmp`)
  await mkdir(draft, { recursive: true, mode: 0o700 })
  try {
    const loaded = await build(place, options, draft)
    await rm(folder, { recursive: true, force: true })
    await rename(draft, folder)
    await syncFolder(dirname(folder))
    return loaded
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

async function build({ abi, pinned }: OfflinePlace, options: RestoreOptions, draft: string): Promise<LoadedSnapshot> {
  const { genesis } = pinned
  const { chain, addressPrefix } = genesis.payload.value
  const dir = await openDataDir(draft, { chain, genesisHash: pinned.hash })
  const store = await BlockStore.open(draft, {})
  const backend = await LevelBackend.open(join(draft, 'state'))
  let loaded: LoadedSnapshot
  try {
    const outcome = blockOutcome.encode({ results: [], events: [] }, abi.codec(addressPrefix))
    const body = Buffer.from(genesis.payload.bytes)
    await store.append({ header: genesis.header, certificate: undefined, body, entries: [], outcome })
    loaded = await loadSnapshot({
      ...options,
      abi,
      pinned,
      backend,
      onHeaders: (headers) => store.appendHeaders(headers),
    })
  } finally {
    await Promise.all([backend.close(), store.close()])
    await dir.close()
  }
  await rm(join(draft, VOTE_LOG_FILE), { force: true })
  await syncAll(draft)
  return loaded
}

/** Syncs every file below a folder: the blocks before the snapshot are not here to rebuild the state from. */
async function syncAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const handle = await open(join(entry.parentPath, entry.name), 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
  await syncFolder(folder)
}
