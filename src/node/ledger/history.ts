/** Owns reading of whole blocks in order: without results for syncing peers, with results for streams and replays. */

import type { StoredBlock } from '../../api/services.js'
import type { CodecContext } from '../../codec/index.js'
import { type BlockOutcome, blockOutcome, committedBlock, type EntryResult, openResults } from '../../model/index.js'
import type { BlockStore } from '../../storage/index.js'
import type { LedgerPort, LedgerRequest, LedgerResponse } from './protocol.js'

/** Size at which a response ends, in bytes: it is copied between threads into one buffer of the main thread. */
const ANSWER_MAX_BYTES = 4 * 1024 * 1024

/** Committed blocks in canonical bytes, at most `maxBytes` of them but at least one. */
export async function readBlocks(
  store: BlockStore,
  { from, count, maxBytes }: LedgerRequest<'blocks'>,
  chain: { readonly height: number },
): Promise<LedgerResponse<'blocks'>> {
  const found: Uint8Array[] = []
  let total = 0
  for (let height = from; height < from + count && height <= chain.height; height++) {
    const block = await store.read(height)
    if (block === undefined) break
    const bytes = committedBlock.encode(block)
    total += bytes.length
    if (found.length > 0 && total > maxBytes) break
    found.push(bytes)
  }
  return { blocks: found }
}

/** Results and events of a block; undefined if this node does not store it. */
export async function outcomeAt(
  store: BlockStore,
  height: number,
  codec: CodecContext,
): Promise<BlockOutcome | undefined> {
  const bytes = await store.readOutcome(height)
  if (bytes === undefined) return undefined
  const decoded = blockOutcome.decode(bytes, codec)
  if (!decoded.ok) throw new Error(`results of block ${height} do not decode: ${decoded.fault.message}`)
  return decoded.value
}

/** Blocks from a height up to the tip, at least one if any exist; they start higher if bodies are missing. */
export async function readHistory(
  store: BlockStore,
  { from, count }: LedgerRequest<'history'>,
  tip: number,
): Promise<LedgerResponse<'history'>> {
  const blocks: { block: Uint8Array; outcome: Uint8Array }[] = []
  const first = store.firstWhole(from)
  let total = 0
  for (let height = first ?? tip + 1; height <= tip && blocks.length < count; height++) {
    const [stored, outcome] = await Promise.all([store.read(height), store.readOutcome(height)])
    // Blocks between genesis and a snapshot: the next request starts after the gap.
    if (stored === undefined || outcome === undefined) break
    const block = committedBlock.encode(stored)
    total += block.length + outcome.length
    if (blocks.length > 0 && total > ANSWER_MAX_BYTES) break
    blocks.push({ block, outcome })
  }
  return { blocks }
}

/** Results of a block; undefined if this node does not store it. */
export async function resultsAt(store: BlockStore, height: number): Promise<readonly EntryResult[] | undefined> {
  const bytes = await store.readOutcome(height)
  if (bytes === undefined) return undefined
  const opened = openResults(bytes)
  if (!opened.ok) throw new Error(`results of block ${height} do not decode: ${opened.fault.message}`)
  return opened.value
}

/** Main-thread side: request history from the ledger and decode the response. */
export async function askHistory(
  ledger: LedgerPort,
  codec: CodecContext,
  from: number,
  count: number,
): Promise<readonly StoredBlock[]> {
  const { blocks } = await ledger.history({ from, count })
  return blocks.map((stored) => {
    const block = committedBlock.decode(stored.block)
    const outcome = blockOutcome.decode(stored.outcome, codec)
    if (!block.ok) throw new Error(`a stored block does not decode: ${block.fault.message}`)
    if (!outcome.ok) throw new Error(`results of block ${block.value.header.height}: ${outcome.fault.message}`)
    return { block: block.value, outcome: outcome.value }
  })
}
