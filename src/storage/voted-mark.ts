/**
 * Owns `<secret key>.voted`: the mark beside a consensus key with the chains on which it voted, which distinguishes a
 * lost data directory from a first start (docs/design/hardening.md 6).
 */
import { constants } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../base/thrown.js'
import { changeAlone } from '../files/change-alone.js'
import { replaceFile, unwritable } from '../files/write-file.js'
import { LedgerError } from '../model/index.js'

/** Marks of the keys of this node for its chain. */
export interface VotedMarks {
  /** True if one of the keys has the mark. */
  has(): Promise<boolean>
  /** For each key in order, true if it has the mark. */
  each(): Promise<readonly boolean[]>
  /**
   * Mark every key, durably; existing marks are kept. `seen`: for each key, true if it had a mark when the record of
   * its votes was opened. A key marked since then was used by another process: throws `SecondHolder`, and nothing may
   * be signed. Throws `file_unwritable`.
   */
  make(seen?: readonly boolean[]): Promise<void>
  /** Throw `file_unwritable`, with a hint, if a mark cannot be created. */
  check(): Promise<void>
}

/** Error: another process votes with the key. */
export class SecondHolder extends Error {
  constructor(mark: string) {
    super(`${mark} was created by another process since this one started: both hold the key, and only one may sign`)
  }
}

const HINT =
  'Make the folder of the key files writable for the node: the mark there prevents double voting after the data directory is lost.'

/** Path of the mark of a key file. */
export const markPathOf = (keyFile: string): string => `${keyFile}.voted`

/** Lines of a mark: hashes of chains, in hex; empty if the file does not exist. */
async function chainsOf(path: string): Promise<string[]> {
  try {
    return (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

/** Marks of these key files for one chain. */
export function votedMarks(keyFiles: readonly string[], chainHash: Uint8Array): VotedMarks {
  const chain = Buffer.from(chainHash).toString('hex')
  const paths = keyFiles.map(markPathOf)
  const withHint = (error: unknown): unknown =>
    error instanceof LedgerError ? new LedgerError(error.code, error.message, { hint: HINT, cause: error }) : error
  const each = (): Promise<boolean[]> => Promise.all(paths.map(async (path) => (await chainsOf(path)).includes(chain)))
  const mark = async (path: string, mayExist: boolean): Promise<void> => {
    const chains = await chainsOf(path)
    if (!chains.includes(chain)) {
      await replaceFile(path, `${[...chains, chain].join('\n')}\n`, 0o600).catch((error: unknown) => {
        throw withHint(error)
      })
    } else if (!mayExist) {
      throw new SecondHolder(path)
    }
  }
  return {
    async has() {
      return (await each()).includes(true)
    },
    each,
    async make(seen) {
      for (const [at, path] of paths.entries()) await changeAlone(path, () => mark(path, seen?.[at] ?? true))
    },
    async check() {
      for (const path of paths) {
        if ((await chainsOf(path)).includes(chain)) continue
        await access(dirname(path), constants.W_OK).catch((error: unknown) => {
          throw withHint(unwritable(path, error))
        })
      }
    },
  }
}
