/** Owns the making of folders that appear whole or not at all: built beside their place, synced, moved there. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { LedgerError } from '../model/index.js'
import { syncFolder } from '../storage/index.js'

/** Throws `file_exists` unless nothing, or an empty folder, stands at the place. */
async function requireEmptyPlace(folder: string): Promise<void> {
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
 * Makes a folder by `build`, which fills the draft it is given. A failure or a crash on the way leaves nothing at the
 * place. Throws `file_exists` unless the place is absent or empty.
 */
export async function intoPlace<T>(folder: string, build: (draft: string) => Promise<T>): Promise<T> {
  await requireEmptyPlace(folder)
  const draft = join(dirname(folder), `.${basename(folder)}.${randomBytes(4).toString('hex')}.tmp`)
  await mkdir(dirname(folder), { recursive: true })
  try {
    const built = await build(draft)
    await syncAll(draft)
    await rm(folder, { recursive: true, force: true })
    await rename(draft, folder)
    await syncFolder(dirname(folder))
    return built
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Syncs every file below a folder: what is moved is whole on the disk, not in memory only. */
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
