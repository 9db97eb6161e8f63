/** Owns commands that create several files atomically: either all exist afterwards, or none. */
import { readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Run work that registers the files it created; on failure they are removed in reverse order. All other files are kept.
 */
export async function allOrNothing<T>(work: (made: (path: string) => void) => Promise<T>): Promise<T> {
  const paths: string[] = []
  try {
    return await work((path) => paths.push(path))
  } catch (error) {
    // The fault of the work is the relevant one; files that cannot be removed stay.
    for (const path of paths.reverse()) await remove(path).catch(() => undefined)
    throw error
  }
}

/** Remove a file, or a folder with its empty subfolders: another run may have written its keys there. */
async function remove(path: string): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined)
  if (entries === undefined) return rm(path, { force: true })
  for (const entry of entries) if (entry.isDirectory()) await remove(join(path, entry.name)).catch(() => undefined)
  await rmdir(path)
}
