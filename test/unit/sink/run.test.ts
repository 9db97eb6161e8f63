/** Requests of a sink to a node, and its error for one that does not have the whole chain. */
import { expect, it } from 'vitest'
import type { CausewayClient } from '../../../src/client/index.js'
import { LedgerError } from '../../../src/model/index.js'
import type { Naming } from '../../../src/sink/ledger-rows.js'
import { SinkMetrics } from '../../../src/sink/metrics.js'
import { runSink } from '../../../src/sink/run.js'
import type { Warehouse } from '../../../src/sink/warehouse.js'

it('a sink stops at a pruned node that hides its telemetry, and reports the lowest height of the node', async () => {
  const client = {
    height: async () => 9,
    consensusStatus: async () => {
      throw new LedgerError('telemetry_profile_restricted', 'the profile does not show it')
    },
    chain: async () => ({ chain: 'test', genesisHash: Buffer.alloc(32, 7) }),
    async *storedBlocks() {
      yield { kind: 'gap', value: { from: 2, to: 5 } }
    },
  } as unknown as CausewayClient
  const ended = runSink({
    client,
    naming: { codec: {} } as Naming,
    open: async () => ({ cursor: async () => undefined, close: async () => undefined }) as unknown as Warehouse,
    once: true,
    metrics: new SinkMetrics(),
    signal: new AbortController().signal,
    onBatch: () => undefined,
    onFault: () => undefined,
  })
  await expect(ended).rejects.toMatchObject({
    code: 'history_pruned',
    details: { first_height: 6 },
    hint: expect.stringContaining('pruned, or started from a snapshot'),
  })
})

it('a sink reports its height and a working database even before the next block', async () => {
  const metrics = new SinkMetrics()
  metrics.down()
  const client = {
    height: async () => 9,
    chain: async () => ({ chain: 'test', genesisHash: Buffer.alloc(32, 7) }),
  } as unknown as CausewayClient
  const cursor = { chain: 'test', genesisHash: 'that of another chain', height: 8, hash: '', place: '' }
  const ended = runSink({
    client,
    naming: { codec: {} } as Naming,
    open: async () => ({ cursor: async () => cursor, close: async () => undefined }) as unknown as Warehouse,
    once: false,
    metrics,
    signal: new AbortController().signal,
    onBatch: () => undefined,
    onFault: () => undefined,
  })
  await expect(ended).rejects.toMatchObject({ code: 'sink_conflict' })
  const text = await metrics.text()
  for (const line of ['sink_height 8', 'sink_lag_blocks 1', 'sink_database_up 1']) expect(text).toContain(`\n${line}\n`)
})
