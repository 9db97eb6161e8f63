/** Pages of the signals of a call: what one page reads is bounded in bytes, whether it is wanted or not, and pages together miss none. */

import { expect, it } from 'vitest'
import { EXECUTIONS } from '../../../src/executor/executions.js'
import { ABI_2 } from '../../../src/features/abi.js'
import { calls, signals } from '../../../src/features/conference/ledger/tables.js'
import { type Call, SIGNAL_MAX_BYTES, SIGNALS_MAX } from '../../../src/features/conference/schema/records.js'
import { queries as conferenceQueries } from '../../../src/features/conference/schema/views.js'
import { ANSWER_BYTES_MAX } from '../../../src/ledger/table-page.js'
import { ledgerSources, runQuery } from '../../../src/node/ledger/query.js'
import { MemoryBackend, WorldState } from '../../../src/state/index.js'
import type { BlockStore } from '../../../src/storage/index.js'
import { accountNamed } from '../../support/executor.js'

const CALL = 'bank:talk'
const host = accountNamed('host')
const codec = ABI_2.codec('cw')
/** Signals of the longest kind that fill three pages. */
const COUNT = Math.floor((3 * ANSWER_BYTES_MAX) / SIGNAL_MAX_BYTES)

const call: Call = {
  domain: 'bank',
  name: 'talk',
  host,
  title: undefined,
  maxParticipants: undefined,
  gasRatePerMinute: 0n,
  scheduledStartMs: undefined,
  billingAccount: undefined,
  privacyMode: 'transparent',
  roomPolicy: 'public',
  admission: undefined,
  status: 'active',
  createdAtMs: 1,
  endedAtMs: undefined,
  totalDurationMs: 0n,
  totalBilledGas: 0n,
  segments: 0,
  memberCount: 0,
  nullifierCount: 0,
  signalCount: COUNT,
  rosterRoot: undefined,
  admissionRoot: undefined,
  admissionCount: 0,
}

async function withSignals(): Promise<{ readonly world: WorldState; readonly read: () => number }> {
  const world = await WorldState.open({ backend: new MemoryBackend(), treeBits: 12, context: codec, cacheBytes: 1 })
  const overlay = world.overlay()
  overlay.set(calls, CALL, call)
  for (let index = 0; index < COUNT; index += 1) {
    const body = Buffer.alloc(SIGNAL_MAX_BYTES, index)
    overlay.set(signals, { call: CALL, index }, { kind: 'note', body, atMs: 1, from: host, commitment: undefined })
  }
  await world.commit(world.prepare(overlay), { height: 1 })
  let reads = 0
  const { reader } = world
  const get = reader.get.bind(reader)
  Object.defineProperty(world, 'reader', {
    value: {
      ...reader,
      has: reader.has.bind(reader),
      get(table: never, key: never) {
        reads += 1
        return get(table, key)
      },
    },
  })
  return { world, read: () => reads }
}

it.each([
  ['a kind without signals', 'offer', []],
  ['the kind of all signals', 'note', Array.from({ length: COUNT }, (_, index) => index)],
])('a list of %s is limited to the size of a page in bytes', async (_name, kind, expected) => {
  const { world, read } = await withSignals()
  const found: number[] = []
  let [after, pages]: [string | undefined, number] = [undefined, 0]
  do {
    const before = read()
    const input = conferenceQueries.conferenceSignals.input.encode(
      { id: CALL, afterMs: undefined, kind, limit: 100, after },
      codec,
    )
    const sources = ledgerSources(world, {} as BlockStore, ABI_2, codec)
    const output = conferenceQueries.conferenceSignals.output.decode(
      (await runQuery(EXECUTIONS.query, sources, conferenceQueries.conferenceSignals.kind, input))!,
      codec,
    )
    if (!output.ok) throw new Error(output.fault.message)
    found.push(...output.value.items.map(({ index }) => index))
    expect(read() - before).toBeLessThanOrEqual(ANSWER_BYTES_MAX / SIGNAL_MAX_BYTES + 2)
    pages += 1
    after = output.value.nextCursor
  } while (after !== undefined && pages < 10)
  expect(found).toEqual(expected)
  expect(pages).toBeLessThan(5)
})

/** More signals that left than one page looks at. */
const FIRST = 5_000

it('a list starts with the oldest retained signal, even after an older cursor', async () => {
  const world = await WorldState.open({ backend: new MemoryBackend(), treeBits: 12, context: codec, cacheBytes: 1 })
  const overlay = world.overlay()
  overlay.set(calls, CALL, { ...call, signalCount: SIGNALS_MAX + FIRST })
  for (const index of [0, 1, 2, 3].map((at) => FIRST + at)) {
    const body = Buffer.alloc(1)
    overlay.set(signals, { call: CALL, index }, { kind: 'note', body, atMs: 1, from: host, commitment: undefined })
  }
  await world.commit(world.prepare(overlay), { height: 1 })
  const sources = ledgerSources(world, {} as BlockStore, ABI_2, codec)
  for (const after of [undefined, '0', String(FIRST - 2)]) {
    const asked = { id: CALL, afterMs: undefined, kind: undefined, limit: 3, after }
    const input = conferenceQueries.conferenceSignals.input.encode(asked, codec)
    const output = conferenceQueries.conferenceSignals.output.decode(
      (await runQuery(EXECUTIONS.query, sources, conferenceQueries.conferenceSignals.kind, input))!,
      codec,
    )
    if (!output.ok) throw new Error(output.fault.message)
    expect(output.value.items.map(({ index }) => index)).toEqual([FIRST, FIRST + 1, FIRST + 2])
    expect(output.value.nextCursor).toBe(String(FIRST + 2))
  }
})
