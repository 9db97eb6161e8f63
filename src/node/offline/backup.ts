/** Owns backups of a data directory: a copy of a stopped node, without its vote log. */

import { cp, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { LedgerError } from '../../model/index.js'
import { exists, FORMAT_FILE, LOCK_FILE, QUEUE_LOG_FILE, VOTE_KEYS_FILE, VOTE_LOG_FILE } from '../../storage/index.js'
import { publishDataDir, publishDirectory } from '../process/publish-directory.js'
import { SNAPSHOTS_FOLDER } from '../snapshot/archive.js'

/**
 * Files that a backup never contains: votes and their keys, because a node restored with old votes could sign against
 * later ones; the lock; queued transactions, which are decided by the time a backup is used; and snapshots, which are
 * copies of the state.
 */
const LEFT_OUT = new Set([VOTE_LOG_FILE, VOTE_KEYS_FILE, LOCK_FILE, QUEUE_LOG_FILE, SNAPSHOTS_FOLDER])

/** Progress callback: copied and total bytes. */
export type OnCopied = (bytes: number, total: number) => void

/** Copy a data directory to a folder. */
async function copyWhole(from: string, to: string, onCopied: OnCopied): Promise<void> {
  const { folders, files } = await contentsOf(from)
  for (const folder of ['', ...folders]) await mkdir(join(to, folder), { recursive: true, mode: 0o700 })
  const total = files.reduce((sum, file) => sum + file.bytes, 0)
  let copied = 0
  for (const { path, bytes } of files) {
    onCopied(copied, total)
    await cp(join(from, path), join(to, path), { preserveTimestamps: true })
    copied += bytes
  }
  onCopied(copied, total)
}

/** Contents of a folder that belong in a backup: relative paths, files with their sizes. */
async function contentsOf(folder: string) {
  const folders: string[] = []
  const files: { path: string; bytes: number }[] = []
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name))
    if (LEFT_OUT.has(path) || dirname(path) === SNAPSHOTS_FOLDER) continue
    if (entry.isDirectory()) folders.push(path)
    else if (!entry.isFile()) {
      // Through a link the node could write outside its folder.
      const text = `${join(folder, path)}: a data directory must contain folders and regular files only`
      throw new LedgerError('file_unreadable', text, { hint: 'Remove it, or use another backup.', details: { path } })
    } else files.push({ path, bytes: (await stat(join(folder, path))).size })
  }
  return { folders, files }
}

/** Hint for a folder that prevents a backup. */
const OTHER_BACKUP = 'Choose a folder that is absent or empty: a backup never overwrites another one.'

/** Back up a data directory that the caller has locked; the backup is created atomically. */
export const backUp = (dataDir: string, to: string, onCopied: OnCopied): Promise<void> =>
  publishDirectory(to, (draft) => copyWhole(dataDir, draft, onCopied), OTHER_BACKUP)

/**
 * Restore a backup into a data directory that is absent or empty. The node abstains at first. Throws `data_dir_locked`
 * while a node fills the directory itself.
 */
export async function restoreBackup(backup: string, dataDir: string, onCopied: OnCopied): Promise<void> {
  if (!(await exists(join(backup, FORMAT_FILE)))) {
    throw new LedgerError('file_missing', `${backup} is not a backup of a data directory`, {
      details: { path: backup },
    })
  }
  await publishDataDir(dataDir, (draft) => copyWhole(backup, draft, onCopied))
}
