/**
 * Owns `votes.keys`: the keys whose votes are all in the vote log beside it. A log that another key wrote, or a node whose
 * votes a signer has, says nothing of what these keys signed (docs/design/consensus.md 8).
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../base/thrown.js'
import { replaceFile } from './files.js'

/** File name inside a data directory. */
export const VOTE_KEYS_FILE = 'votes.keys'

/** The keys of a vote log, in hex; undefined: the release that wrote it did not say. */
export async function readVoteKeys(folder: string): Promise<readonly string[] | undefined> {
  try {
    return (await readFile(join(folder, VOTE_KEYS_FILE), 'utf8')).split('\n').filter((line) => line !== '')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Says which keys, in hex, the vote log has from now on; nothing is written where it says so already. */
export async function writeVoteKeys(folder: string, keys: readonly string[]): Promise<void> {
  const found = await readVoteKeys(folder)
  if (found?.length === keys.length && keys.every((key) => found.includes(key))) return
  await replaceFile(join(folder, VOTE_KEYS_FILE), Buffer.from(keys.map((key) => `${key}\n`).join('')))
}
