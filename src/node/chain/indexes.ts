/** Owns the index entries of a block (transactions, replay ids, features), written in its state batch. */
import type { Abi, IndexedBlock, StateBefore } from '../../executor/index.js'
import { PRESENT, prefixedKey, transactionKey, transactionPlace } from '../../ledger/indexes.js'
import type { IndexChanges, WorldState } from '../../state/index.js'

/** First bytes of the ledger's own index keys; those of the core start at 1, those of features at 100. */
const REPLAY_ID = 0x80
const REPLAY_BLOCK = 0x81

/** Key of a committed transaction id until it expires. */
export const replayIdKey = (id: Uint8Array): Buffer => prefixedKey(REPLAY_ID, id)

/** Key of the id list of a block, so that the ids can be removed together. */
export function replayBlockKey(height: number): Buffer {
  const key = Buffer.alloc(7)
  key[0] = REPLAY_BLOCK
  key.writeUIntBE(height, 1, 6)
  return key
}

/** Ids of the committed transactions of the replay window, block by block. */
export async function* replayBlocks(
  world: WorldState,
): AsyncIterable<{ readonly height: number; readonly ids: Uint8Array }> {
  const range = { gte: Buffer.of(REPLAY_BLOCK), lt: Buffer.of(REPLAY_BLOCK + 1), limit: Number.MAX_SAFE_INTEGER }
  for await (const [key, ids] of world.indexRange(range)) yield { height: key.readUIntBE(1, 6), ids }
}

/** State before genesis. */
export const NOTHING_BEFORE: StateBefore = {
  hasRow: () => false,
  rowBytes: () => undefined,
  indexGet: () => undefined,
}

/**
 * Index changes of one block: those of the features, and the replay ids. `expired`: id lists of the replay windows that
 * ended.
 */
export function blockIndexes(
  { features }: Abi,
  block: IndexedBlock,
  expired: readonly { readonly height: number; readonly ids: Buffer }[] = [],
): Required<IndexChanges> {
  const { height, entries } = block
  const put: (readonly [Uint8Array, Uint8Array])[] = []
  const del: Uint8Array[] = []
  addTransactions(put, height, entries)
  if (entries.length > 0) put.push([replayBlockKey(height), Buffer.concat(entries.map((entry) => entry.id))])
  for (const window of expired) {
    del.push(replayBlockKey(window.height))
    for (let at = 0; at < window.ids.length; at += 32) del.push(replayIdKey(window.ids.subarray(at, at + 32)))
  }
  for (const make of features.flatMap(({ indexes }) => indexes)) {
    const derived = make(block)
    for (const one of derived.put) put.push(one)
    for (const key of derived.del) del.push(key)
  }
  return { put, del }
}

/** Add the entries of the transactions of a block. */
function addTransactions(
  put: (readonly [Uint8Array, Uint8Array])[],
  height: number,
  entries: IndexedBlock['entries'],
): void {
  for (let index = 0; index < entries.length; index += 1) {
    const { id } = entries[index]!
    put.push([transactionKey(id), transactionPlace(height, index)])
    put.push([replayIdKey(id), PRESENT])
  }
}
