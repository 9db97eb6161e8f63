/** Owns backups of a data directory: a copy of a node that does not run, never with its vote log. */

import { randomBytes } from 'node:crypto'
import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { LedgerError } from '../model/index.js'
import { exists, FORMAT_FILE, LOCK_FILE, QUEUE_LOG_FILE, syncFolder, VOTE_LOG_FILE } from '../storage/index.js'
import { requireEmptyPlace } from './snapshot/restore.js'

/**
 * What a backup never holds: votes, because a node that came back with old ones could sign against the later ones; the
 * lock; and queued transactions, which are long decided when a backup is used.
 */
const LEFT_OUT = new Set([VOTE_LOG_FILE, LOCK_FILE, QUEUE_LOG_FILE])

/** Copies a data directory to a place that is absent or empty; the place appears whole or not at all. */
async function copyWhole(from: string, to: string): Promise<void> {
  await requireEmptyPlace(to)
  const draft = join(dirname(to), `.${basename(to)}.${randomBytes(4).toString('hex')}.tmp`)
  await mkdir(dirname(to), { recursive: true })
  try {
    const filter = (path: string): boolean => !LEFT_OUT.has(relative(from, path))
    await cp(from, draft, { recursive: true, filter, preserveTimestamps: true })
    await rm(to, { recursive: true, force: true })
    await rename(draft, to)
    await syncFolder(dirname(to))
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Backs up a data directory that its caller has locked. */
export const backUp = (dataDir: string, to: string): Promise<void> => copyWhole(dataDir, to)

/** Puts a backup in the place of a data directory that is absent or empty. The node abstains at first. */
export async function restoreBackup(backup: string, dataDir: string): Promise<void> {
  if (!(await exists(join(backup, FORMAT_FILE)))) {
    throw new LedgerError('file_missing', `${backup} is no backup of a data directory`, { details: { path: backup } })
  }
  await copyWhole(backup, dataDir)
}
