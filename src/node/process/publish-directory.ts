/** Owns atomic directory publishing: build in a temporary directory, sync, rename. */
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { draftOf, unwritable } from '../../files/write-file.js'
import { LedgerError } from '../../model/index.js'
import { makePrivate, requireNotJoining, syncFolder } from '../../storage/index.js'

/** Hint for an existing data directory. */
const OLD_DATA = 'Move the old data directory away: its contents may still be needed.'

/** Throw `file_exists` unless the path is absent or an empty folder. */
async function requireEmptyPlace(folder: string, hint: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw unwritable(folder, error)
  })
  if (entries.length > 0) throw notEmpty(folder, hint)
}

const notEmpty = (folder: string, hint: string): LedgerError =>
  new LedgerError('file_exists', `${folder} is not empty`, { hint })

/** Remove an empty folder. Throws `file_exists` if it is in use or not empty. */
export async function clearPlace(folder: string, hint: string): Promise<void> {
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return
    throw error.code === 'ENOTEMPTY' || error.code === 'EEXIST' ? notEmpty(folder, hint) : unwritable(folder, error)
  })
}

/**
 * Create a folder by `build`, which fills the given draft. A failure or a crash leaves nothing at the path. Throws
 * `file_exists` with the hint unless the path is absent or empty, `file_unwritable` if it cannot be created.
 */
export async function publishDirectory<T>(
  folder: string,
  build: (draft: string) => Promise<T>,
  hint: string = OLD_DATA,
): Promise<T> {
  await requireEmptyPlace(folder, hint)
  const draft = draftOf(folder)
  try {
    await mkdir(dirname(folder), { recursive: true })
    // Detects early if a folder cannot be created there.
    await mkdir(draft, { mode: 0o700 })
  } catch (error) {
    throw unwritable(folder, error)
  }
  try {
    const built = await build(draft)
    await makePrivate(draft)
    await syncAll(draft)
    await clearPlace(folder, hint)
    await rename(draft, folder)
    await syncFolder(dirname(folder))
    return built
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/**
 * Like `publishDirectory`, for the data directory of a stopped node. Throws `data_dir_locked` while a node fills it
 * from a snapshot.
 */
export async function publishDataDir<T>(folder: string, build: (draft: string) => Promise<T>): Promise<T> {
  await requireNotJoining(folder)
  return publishDirectory(folder, async (draft) => {
    const built = await build(draft)
    // A node may have started meanwhile; its download would fail because of this directory.
    await requireNotJoining(folder)
    return built
  })
}

/** Sync every file and folder below a folder, so that the moved directory is durable. */
async function syncAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) await syncFolder(join(entry.parentPath, entry.name))
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
