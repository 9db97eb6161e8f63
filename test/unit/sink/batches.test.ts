/** What a sink holds of blocks before it writes them: as much as fits into its memory, whatever accounts put into blocks. */
import { afterEach, expect, it, vi } from 'vitest'
import { ChainVerifier, chainPlace } from '../../../src/client/chain-verifier.js'
import type { CausewayClient } from '../../../src/client/index.js'
import { toHex } from '../../../src/codec/index.js'
import { EventMaker } from '../../../src/events/block-events.js'
import type { EventItem } from '../../../src/events/event-item.js'
import { BATCH_BYTES, follow } from '../../../src/sink/follower.js'
import type { Warehouse } from '../../../src/sink/warehouse.js'
import { blockAt } from '../gateway/fake-chain.js'
import { CODEC } from '../gateway/support.js'

afterEach(() => vi.restoreAllMocks())

it('writes blocks with long events a few at a time', async () => {
  const blocks = await Promise.all(Array.from({ length: 9 }, (_, at) => blockAt(at + 2)))
  const first = await blockAt(1)
  const place = { header: first.block.header, genesisSeed: Buffer.alloc(32), roster: undefined }
  const genesisHash = Buffer.alloc(32, 7)
  vi.spyOn(ChainVerifier.prototype, 'take').mockResolvedValue(undefined)
  const event = { record: { timeMs: 0 }, position: undefined, text: 'x'.repeat(BATCH_BYTES / 4) } as EventItem
  vi.spyOn(EventMaker.prototype, 'ofBlock').mockReturnValue([event])
  const client = {
    chain: async () => ({ chain: 'test', genesisHash }),
    async *storedBlocks() {
      for (const value of blocks) yield { kind: 'block', value }
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
  expect(written).toEqual([4, 4, 1])
})
