/** Owns validation of file names from untrusted files: plain names, and paths that stay inside their folder. */
import { lstat, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'

const FILE_NAME = /^[a-z0-9_-]{1,64}$/

/** Form of a file name, for messages. */
export const FILE_NAME_FORM = '1 to 64 characters a-z, 0-9, _ and -'

/** True for a name that is safe as a path component: not a path itself, and the same on every file system. */
export const isFileName = (text: string): boolean => FILE_NAME.test(text)

const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Real path of the deepest existing part of a path; undefined if that is a dangling link. */
async function realPart(path: string): Promise<string | undefined> {
  let at = path
  while ((await lstat(at).catch(() => undefined)) === undefined && at !== dirname(at)) at = dirname(at)
  return realpath(at).catch(() => undefined)
}

/** Absolute path of `path` in a folder; undefined if it is outside the folder, also because of a symbolic link. */
export async function insideFolder(folder: string, path: string): Promise<string | undefined> {
  const place = resolve(folder, path)
  if (isAbsolute(path) || !isInside(resolve(folder), place)) return undefined
  const realFolder = await realpath(folder).catch(() => undefined)
  if (realFolder === undefined) return place
  const part = await realPart(place)
  return part !== undefined && (part === realFolder || isInside(realFolder, part)) ? place : undefined
}
