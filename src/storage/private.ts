/** Owns the file permissions of a node's data: votes, payments and logs are readable only by its operator. */
import { chmod, lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../base/thrown.js'

/** Permission bits of group and others. */
const OTHERS = 0o077

/** Make new files of this process private to their owner, because the databases set no mode. */
export const makeFilesPrivate = (): void => void process.umask(OTHERS)

/**
 * Remove the permissions of group and others from a folder and its content, since a mode applies only to new files.
 * Files of another user, such as volumes of orchestrators, are skipped, because only that user may change them;
 * symbolic links are not followed.
 */
export async function makePrivate(folder: string): Promise<void> {
  await close(folder, await stat(folder))
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() && !entry.isDirectory()) continue
    const path = join(entry.parentPath, entry.name)
    try {
      await close(path, await lstat(path))
    } catch (error) {
      // A temporary file that was moved into place meanwhile.
      if (errorCode(error) !== 'ENOENT') throw error
    }
  }
}

async function close(path: string, { mode, uid }: { readonly mode: number; readonly uid: number }): Promise<void> {
  if ((mode & OTHERS) === 0 || uid !== process.getuid?.()) return
  await chmod(path, mode & 0o7777 & ~OTHERS)
}
