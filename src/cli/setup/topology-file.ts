/** Owns changes to topology files under construction: entries are added and completed before they are checked. */
import { errorMessage } from '../../base/thrown.js'
import { parseJson } from '../../codec/json-text.js'
import { readBounded } from '../../files/bounded-file.js'
import { changeAlone } from '../../files/change-alone.js'
import { replaceFile } from '../../files/write-file.js'
import { LedgerError } from '../../model/errors.js'

/** Maximum size of a topology file, in bytes: several times the size of a thousand peers of one kilobyte each. */
const TOPOLOGY_MAX_BYTES = 8 * 1024 * 1024

/** Peer entry of the file, complete or not. */
export type Entry = Readonly<Record<string, unknown>>

/** Entries of a topology file; throws `file_missing` or `topology_invalid`. */
export async function readEntries(file: string): Promise<Entry[]> {
  const bytes = await readBounded(file, TOPOLOGY_MAX_BYTES).catch((error: unknown) => {
    if (!(error instanceof LedgerError) || error.code !== 'file_missing') throw error
    throw new LedgerError('file_missing', error.message, { hint: 'Start one with `causeway topology create`.' })
  })
  let json: { readonly peers?: unknown }
  try {
    json = parseJson(bytes.toString('utf8')) as typeof json
  } catch (error) {
    throw new LedgerError('topology_invalid', `${file}: the file is not JSON (${errorMessage(error)})`)
  }
  const { peers } = json
  if (!Array.isArray(peers) || peers.some((one) => typeof one !== 'object' || one === null)) {
    throw new LedgerError('topology_invalid', `${file}: expected {"peers": [...]}`)
  }
  return peers
}

/**
 * Atomically replace the entries of a topology file with the result of a function of the current entries; safe against
 * concurrent commands.
 */
export function changeEntries(
  file: string,
  change: (entries: readonly Entry[]) => readonly Entry[],
): Promise<readonly Entry[]> {
  return changeAlone(file, async () => {
    const peers = change(await readEntries(file))
    await replaceFile(file, `${JSON.stringify({ peers }, null, 2)}\n`)
    return peers
  })
}

/** Write a proof of possession into the entry of its key; throws `topology_invalid` if no entry has the key. */
export async function putPop(file: string, key: string, pop: string): Promise<void> {
  await changeEntries(file, (entries) => {
    const at = entries.findIndex((one) => typeof one.key === 'string' && one.key.toLowerCase() === key.toLowerCase())
    if (at < 0) {
      throw new LedgerError('topology_invalid', `${file}: no peer has the key ${key}`, {
        hint: 'Add the peer with `causeway topology add`.',
      })
    }
    return entries.with(at, { ...entries[at], pop })
  })
}
