/** Owns changes to topology files that are still being written: entries are added and completed before they are checked. */
import { readFile } from 'node:fs/promises'
import { LedgerError } from '../model/errors.js'
import { replaceFile } from '../model/write-file.js'

/** A peer entry as it stands in the file, complete or not. */
export type Entry = Readonly<Record<string, unknown>>

/** The entries of a topology file; throws `file_missing` or `topology_invalid`. */
export async function readEntries(file: string): Promise<Entry[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new LedgerError('file_missing', `${file}: there is no such file`, {
      hint: 'Start one with `causeway topology new`.',
    })
  }
  let json: { readonly peers?: unknown }
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new LedgerError('topology_invalid', `${file}: the file is not JSON (${(error as Error).message})`)
  }
  const { peers } = json
  if (!Array.isArray(peers) || peers.some((one) => typeof one !== 'object' || one === null)) {
    throw new LedgerError('topology_invalid', `${file}: expected {"peers": [...]}`)
  }
  return peers
}

/** Replaces the entries of a topology file at once. */
export async function writeEntries(file: string, peers: readonly Entry[]): Promise<void> {
  await replaceFile(file, `${JSON.stringify({ peers }, null, 2)}\n`)
}

/** Writes a proof of possession into the entry of its key; throws `topology_invalid` when no entry has the key. */
export async function putPop(file: string, key: string, pop: string): Promise<void> {
  const entries = await readEntries(file)
  const at = entries.findIndex((one) => typeof one.key === 'string' && one.key.toLowerCase() === key.toLowerCase())
  if (at < 0) {
    throw new LedgerError('topology_invalid', `${file}: no peer has the key ${key}`, {
      hint: 'Add the peer with `causeway topology add`.',
    })
  }
  await writeEntries(file, entries.with(at, { ...entries[at], pop }))
}
