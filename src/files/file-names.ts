/** Owns validation of file names from untrusted files: plain names, and paths that stay inside their folder. */
import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'

const FILE_NAME = /^[a-z0-9_-]{1,64}$/

/** What a name has to look like, for messages. */
export const FILE_NAME_FORM = '1 to 64 characters a-z, 0-9, _ and -'

/** True for a name that a path may be made of: it is no path itself, and the same on every file system. */
export const isFileName = (text: string): boolean => FILE_NAME.test(text)

const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/**
 * The absolute path of `path` in a folder; undefined when it leads out of it, through a symbolic link too. What is not
 * there yet is judged by its words.
 */
export async function insideFolder(folder: string, path: string): Promise<string | undefined> {
  const place = resolve(folder, path)
  if (isAbsolute(path) || !isInside(resolve(folder), place)) return undefined
  const [realFolder, realPlace] = await Promise.all([folder, place].map((one) => realpath(one).catch(() => undefined)))
  if (realFolder === undefined || realPlace === undefined) return place
  return isInside(realFolder, realPlace) ? place : undefined
}
