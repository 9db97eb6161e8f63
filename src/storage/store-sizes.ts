/** Owns the disk usage of each store of a data directory. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../base/thrown.js'

/** Stores by the prefix of their names in a data directory; the first match applies. */
const STORES: readonly (readonly [prefix: string, store: string])[] = [
  ['blocks', 'blocks'],
  ['merge_ledger', 'blocks'],
  ['retired', 'blocks'],
  ['state', 'state'],
  ['queue.', 'queue'],
  ['votes.', 'votes'],
  ['staging.', 'broadcast'],
  ['integrations', 'integrations'],
  ['bridge', 'bridge'],
  ['audit', 'audit_log'],
  ['snapshots', 'snapshots'],
]
/** Other files: reports, the lock, the format. */
const OTHER = 'other'

const storeOf = (name: string): string => STORES.find(([prefix]) => name.startsWith(prefix))?.[1] ?? OTHER

/** Block size of `stat`, in bytes, on every system. */
const STAT_BLOCK_BYTES = 512

/** Bytes on disk of each store; 0 without files. A file removed in the meantime counts as 0. */
export async function storeSizes(folder: string): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map([...STORES.map(([, store]) => [store, 0] as const), [OTHER, 0]])
  for (const name of await readdir(folder)) {
    const store = storeOf(name)
    sizes.set(store, (sizes.get(store) ?? 0) + (await sizeOf(join(folder, name))))
  }
  return sizes
}

/** Size of files, processed sequentially, since the threads that read files are needed for blocks. */
async function sizeOf(path: string): Promise<number> {
  try {
    const found = await stat(path)
    if (!found.isDirectory()) return found.blocks * STAT_BLOCK_BYTES
    let bytes = 0
    for (const name of await readdir(path)) bytes += await sizeOf(join(path, name))
    return bytes
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0
    throw error
  }
}
