/**
 * Memory of a sink for blocks before it writes them, whatever accounts put into blocks, and the last batch when the
 * blocks end.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { ChainVerifier, chainPlace } from '../../../src/client/chain-verifier.js'
import type { CausewayClient } from '../../../src/client/index.js'
import { toHex } from '../../../src/codec/index.js'
import { EventMaker } from '../../../src/events/block-events.js'
import type { EventItem } from '../../../src/events/event-item.js'
import { LedgerError } from '../../../src/model/index.js'
import { BATCH_BYTES } from '../../../src/sink/chain-rows.js'
import { follow } from '../../../src/sink/follower.js'
import type { Warehouse } from '../../../src/sink/warehouse.js'
import { blockAt } from '../gateway/fake-chain.js'
import { CODEC } from '../gateway/support.js'

afterEach(() => vi.restoreAllMocks())

/** A follower of nine blocks from height 2 on, whose stream may fail behind the first. */
async function followed({ text, fault }: { readonly text: string; readonly fault?: Error }): Promise<number[]> {
  const blocks = await Promise.all(Array.from({ length: 9 }, (_, at) => blockAt(at + 2)))
  const first = await blockAt(1)
  const place = { header: first.block.header, genesisSeed: Buffer.alloc(32), roster: undefined }
  const genesisHash = Buffer.alloc(32, 7)
  vi.spyOn(EventMaker.prototype, 'ofBlock').mockReturnValue([
    { record: { timeMs: 0 }, position: undefined, text } as EventItem,
  ])
  const client = {
    chain: async () => ({ chain: 'test', genesisHash }),
    async *storedBlocks() {
      for (const value of blocks) {
        yield { kind: 'block', value }
        if (fault !== undefined) throw fault
      }
    },
  } as unknown as CausewayClient
  const written: number[] = []
  const cursor = {
    chain: 'test',
    genesisHash: toHex(genesisHash),
    height: 1,
    hash: '',
    place: toHex(chainPlace.encode(place)),
  }
  const warehouse = {
    cursor: async () => cursor,
    write: async () => undefined,
    balances: async () => [],
    supplies: async () => [],
  } as unknown as Warehouse
  await follow({
    client,
    warehouse,
    naming: { codec: CODEC, errorName: () => undefined },
    until: undefined,
    signal: new AbortController().signal,
    onBatch: ({ blocks: count }) => written.push(count),
  })
  return written
}

it('a sink writes blocks with long events in small batches', async () => {
  vi.spyOn(ChainVerifier.prototype, 'take').mockResolvedValue(undefined)
  expect(await followed({ text: 'x'.repeat(BATCH_BYTES / 4) })).toEqual([4, 4, 1])
})

it('a sink reports a failed stream as its own error, even if the stream fails while a block is verified', async () => {
  const unseen: unknown[] = []
  const note = (error: unknown): void => void unseen.push(error)
  process.on('unhandledRejection', note)
  // Verifying asks the gateway: the stream fails meanwhile.
  vi.spyOn(ChainVerifier.prototype, 'take').mockImplementation(async () => {
    await nextTurn()
    await nextTurn()
    return undefined
  })
  try {
    const fault = new LedgerError('unreachable', 'the gateway is gone')
    await expect(followed({ text: '{}', fault })).rejects.toBe(fault)
    await nextTurn()
    expect(unseen).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
  }
})
