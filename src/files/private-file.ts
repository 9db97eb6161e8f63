/**
 * Owns the reading of small JSON files with secrets: regular files of limited size that only their owner can read.
 * Messages never quote them.
 */

import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { isRecord } from '../base/guards.js'
import { errorCode } from '../base/thrown.js'
import { parseJson } from '../codec/json-text.js'
import { type ErrorCode, LedgerError } from '../model/errors.js'

/** Error of a key file, with its path. */
export function keyFault(code: ErrorCode, path: string, message: string, hint?: string): LedgerError {
  return new LedgerError(
    code,
    `${path}: ${message}`,
    hint === undefined ? { details: { path } } : { hint, details: { path } },
  )
}

/** Variable that declares key files as mounted by a container platform. */
export const MOUNTED_KEYS_ENV = 'CAUSEWAY_MOUNTED_KEYS'
const ROOT = 0
/** Forbidden permission bits: of a file that only its owner may read, and of a file of root that a group may read. */
const OPEN_BEYOND_OWNER = 0o077
const OPEN_TO_OTHERS = 0o037
const IF_MOUNTED = `If a container platform mounts the file: set ${MOUNTED_KEYS_ENV}=1, which allows links and group-readable files of root.`

/** True if key files are mounted. Secrets of Kubernetes are links to files of root that the pod's group can read. */
const areKeysMounted = (): boolean => process.env[MOUNTED_KEYS_ENV] === '1'

const isMissing = (code: string | undefined): boolean => code === 'ENOENT' || code === 'ENOTDIR'
const missing = (path: string, noun: string): LedgerError => keyFault('key_file_missing', path, `${noun} not found`)

/** Check that a key file exists, without opening it. Throws `key_file_missing`. */
export async function assertKeyFileExists(path: string): Promise<void> {
  try {
    await lstat(path)
  } catch (error) {
    if (isMissing(errorCode(error))) throw missing(path, 'key file')
  }
}

/** Open a private file; a file that other users could read or have created is refused. The caller closes the handle. */
async function openPrivate(path: string, noun: string, maxBytes: number): Promise<FileHandle> {
  let file: FileHandle
  try {
    // NONBLOCK: opening a pipe must not wait for a writer; NOFOLLOW: a link may point anywhere.
    const follow = areKeysMounted() ? 0 : constants.O_NOFOLLOW
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | follow)
  } catch (error) {
    const code = errorCode(error)
    if (isMissing(code)) throw missing(path, noun)
    if (code === 'ELOOP')
      throw keyFault('key_file_invalid', path, `a ${noun} must be a regular file, not a link`, IF_MOUNTED)
    throw keyFault('file_unreadable', path, `cannot read the file (${code ?? 'unknown error'})`)
  }
  try {
    const info = await file.stat()
    if (!info.isFile()) throw keyFault('key_file_invalid', path, `a ${noun} must be a regular file`)
    const uid = process.getuid?.()
    // Windows has no such owners or modes.
    if (uid !== undefined) {
      const isMounted = areKeysMounted() && info.uid === ROOT
      if (info.uid !== uid && !isMounted) {
        const hint = info.uid === ROOT ? IF_MOUNTED : 'Run as the owner of the file.'
        throw keyFault('key_file_loose', path, `the ${noun} belongs to another user`, hint)
      }
      if ((info.mode & (isMounted ? OPEN_TO_OTHERS : OPEN_BEYOND_OWNER)) !== 0) {
        const mode = (info.mode & 0o777).toString(8).padStart(4, '0')
        const hint = info.uid === ROOT ? `Run \`chmod 600\` on the file. ${IF_MOUNTED}` : undefined
        throw keyFault('key_file_loose', path, `the ${noun} has mode ${mode}, so that other users can open it`, hint)
      }
    }
    if (info.size > maxBytes) throw keyFault('key_file_invalid', path, `the file is too large for a ${noun}`)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/**
 * Text of a private file; `noun` describes it. Throws `key_file_missing`, `key_file_loose`, `key_file_invalid`,
 * `file_unreadable`.
 */
export async function readPrivate(path: string, noun: string, maxBytes: number): Promise<string> {
  const file = await openPrivate(path, noun, maxBytes)
  try {
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** JSON object of a text. Throws `key_file_invalid`. */
export function jsonObjectOf(path: string, text: string): object {
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    // The parser's message would quote the file.
    throw keyFault('key_file_invalid', path, 'the file is not JSON')
  }
  if (!isRecord(value)) {
    throw keyFault('key_file_invalid', path, 'the file is not a JSON object')
  }
  return value
}

/** True for an integer from 1 to `max`. */
export const isCount = (value: unknown, max: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= max
