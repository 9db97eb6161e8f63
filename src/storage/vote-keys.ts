/**
 * Owns `votes.keys`: the keys whose votes are all in the vote log beside it. A log of another key, or a log written
 * while a signer held the votes, does not cover these keys (docs/design/consensus.md 8).
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../base/thrown.js'
import { replaceFile } from './files.js'

/** File name inside a data directory. */
export const VOTE_KEYS_FILE = 'votes.keys'

/** Keys of a vote log, in hex; undefined if its release did not record them. */
export async function readVoteKeys(folder: string): Promise<readonly string[] | undefined> {
  try {
    return (await readFile(join(folder, VOTE_KEYS_FILE), 'utf8')).split('\n').filter((line) => line !== '')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Record the keys of the vote log, in hex; unchanged keys are not written. */
export async function writeVoteKeys(folder: string, keys: readonly string[]): Promise<void> {
  const found = await readVoteKeys(folder)
  if (found?.length === keys.length && keys.every((key) => found.includes(key))) return
  await replaceFile(join(folder, VOTE_KEYS_FILE), Buffer.from(keys.map((key) => `${key}\n`).join('')))
}
