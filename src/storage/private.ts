/** Owns file permissions of a node's data: votes, payments and what it says of itself are its operator's alone. */
import { chmod, lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../base/thrown.js'

/** Permissions of everybody but the owner. */
const OTHERS = 0o077

/** From here on what this process makes is its owner's alone: the databases give their files no mode of their own. */
export const makeFilesPrivate = (): void => void process.umask(OTHERS)

/**
 * Takes the permissions of everybody else off a folder and all that is in it: a mode counts only for what is made with it.
 * What belongs to another user, as volumes of orchestrators may, stays as it is, since only that user may change it;
 * symbolic links inside lead elsewhere and are left alone.
 */
export async function makePrivate(folder: string): Promise<void> {
  await close(folder, await stat(folder))
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() && !entry.isDirectory()) continue
    const path = join(entry.parentPath, entry.name)
    try {
      await close(path, await lstat(path))
    } catch (error) {
      // A temporary file that was moved to its place meanwhile.
      if (errorCode(error) !== 'ENOENT') throw error
    }
  }
}

async function close(path: string, { mode, uid }: { readonly mode: number; readonly uid: number }): Promise<void> {
  if ((mode & OTHERS) === 0 || uid !== process.getuid?.()) return
  await chmod(path, mode & 0o7777 & ~OTHERS)
}
