/**
 * Owns files that are written atomically: first to a temporary file in the same folder, which is synced. Errors name
 * the final file.
 */
import { randomBytes } from 'node:crypto'
import { type FileHandle, link, lstat, open, rename, rm, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../base/thrown.js'
import { LedgerError } from '../model/errors.js'

/** Permissions of a file that only its owner can read, such as payment data. They apply to new files. */
export const OWNER_ONLY = 0o600

/** Reasons of a failed write by file system code. */
const WHY: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  ENOENT: 'no such folder',
  ENOTDIR: 'a part of the path is not a folder',
  // A folder could not be created because a file has its path.
  EEXIST: 'a part of the path is not a folder',
  EISDIR: 'is a folder',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  EROFS: 'the file system is read-only',
}

/** `file_unwritable` for a file system error of a write; any other error unchanged. */
export function unwritable(path: string, error: unknown): unknown {
  const code = errorCode(error) ?? ''
  const why = error instanceof LedgerError ? undefined : WHY[code]
  if (why === undefined) return error
  return new LedgerError('file_unwritable', `${path}: ${why}`, { details: { file: path, errno: code }, cause: error })
}

const exists = (file: string): LedgerError =>
  new LedgerError('file_exists', `${file}: already exists`, { details: { file } })

/**
 * Throw `file_exists` if a new file could not be written later. It is called before the user is asked for the secret of
 * the file.
 */
export async function expectAbsent(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const found = await lstat(file).catch(() => undefined)
    if (found !== undefined) throw exists(file)
  }
}

/** Write a new file; throws `file_exists` or `file_unwritable`. */
export const writeNew = (file: string, data: Uint8Array | string, mode = 0o644): Promise<void> =>
  // A link fails if the name exists: unlike a rename, it cannot replace a file that was written meanwhile.
  throughDraft(file, data, mode, link)

/**
 * Replace a file, or create it. A given mode is exact; the default one is subject to the umask. Throws
 * `file_unwritable`.
 */
export const replaceFile = (file: string, data: Uint8Array | string, mode?: number): Promise<void> =>
  throughDraft(file, data, mode ?? 0o644, rename, mode !== undefined)

/**
 * Create an empty file that only its owner can read. An existing file or link of this name is replaced, and never
 * written through.
 */
export async function openAnew(file: string): Promise<FileHandle> {
  try {
    await rm(file, { force: true })
    return await open(file, 'wx', OWNER_ONLY)
  } catch (error) {
    throw unwritable(file, error)
  }
}

async function throughDraft(
  file: string,
  data: Uint8Array | string,
  mode: number,
  publish: (draft: string, file: string) => Promise<void>,
  isExact = false,
): Promise<void> {
  const draft = draftOf(file)
  try {
    await writeSynced(draft, data, mode, isExact)
    await publish(draft, file)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw exists(file)
    throw unwritable(file, error)
  } finally {
    // After a rename the draft is gone.
    await unlink(draft).catch(() => {})
  }
  await syncEntry(dirname(file))
}

/** Unused temporary name in the folder of a path, so that the file can be renamed atomically. */
export const draftOf = (path: string): string =>
  join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`)

async function writeSynced(path: string, data: Uint8Array | string, mode: number, isExact: boolean): Promise<void> {
  const handle = await open(path, 'wx', mode)
  try {
    await handle.writeFile(data)
    if (isExact) await handle.chmod(mode)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Sync a folder, which makes a new name in it durable. */
async function syncEntry(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
