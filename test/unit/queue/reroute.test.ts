// Checks the queue under new routes: places, sums per lane, and what leaves it because no lane takes it any more.
import { expect, it } from 'vitest'
import { ABI_1 } from '../../../src/features/abi.js'
import { type Route, routeFacts } from '../../../src/lanes/index.js'
import { type Instruction, keyString, NO_METADATA } from '../../../src/model/index.js'
import type { LedgerPort } from '../../../src/node/ledger/protocol.js'
import { LaneRouting } from '../../../src/node/queue/lane-routing.js'
import { type QueuedTransaction, TransactionQueue } from '../../../src/queue/index.js'
import { codec, signedBy, testAccount, transferOf } from '../../support/chain.js'

const alice = await testAccount('alice')
const bob = await testAccount('bob')

function queued(lane: number, teu: number, instructions = [transferOf(alice.id, bob.id, 1n)]): QueuedTransaction {
  const { id, signedHash, bytes } = signedBy(alice, instructions, 1)
  const route = { lane, dataspace: 0n }
  return {
    id,
    signedHash,
    bytes,
    authority: alice.id,
    route,
    teu,
    work: 0,
    proofWork: 0,
    expiresAtMs: 9,
    enteredAtMs: 0,
  }
}
const filled = (...all: readonly QueuedTransaction[]): TransactionQueue => {
  const queue = new TransactionQueue()
  for (const one of all) expect(queue.push(one)).toBeUndefined()
  return queue
}
const laneIds = (queue: TransactionQueue, lane: number) => [...queue.ofLane(lane)].map((one) => one.id.toString('hex'))
const hex = (...all: readonly QueuedTransaction[]) => all.map((one) => one.id.toString('hex'))

const view = { slots: [], dataspaces: [], restricted: [], commitments: [], settlements: [] }
const before = { ...view, fingerprint: Buffer.alloc(32, 1) }
const after = { ...view, fingerprint: Buffer.alloc(32, 2) }
const stays: Route = { kind: 'routed', value: { lane: 0, dataspace: 0n, stage: 'default', rule: undefined } }

it('a rerouted transaction enters its new lane by time of arrival, and the others keep their positions', () => {
  const [a, b, c, d] = [queued(0, 10), queued(1, 20), queued(0, 30), queued(1, 40)]
  const queue = filled(a, b, c, d)
  queue.reroute(new Map([[keyString(c.id), { lane: 1, dataspace: 7n }]]))
  expect([laneIds(queue, 0), laneIds(queue, 1)]).toEqual([hex(a), hex(b, c, d)])
  expect([queue.teuOf(0), queue.teuOf(1), queue.depthOf(1), queue.teu]).toEqual([10, 90, 3, 100])
  expect(queue.withSignedHash(c.signedHash)?.route).toEqual({ lane: 1, dataspace: 7n })
  queue.remove(c.id)
  expect([laneIds(queue, 1), queue.teuOf(1)]).toEqual([hex(b, d), 60])
})

it('a reroute skips transactions that were removed meanwhile', () => {
  const [a, b] = [queued(0, 10), queued(0, 20)]
  const queue = filled(a, b)
  queue.remove(a.id)
  queue.reroute(new Map([[keyString(a.id), { lane: 3, dataspace: 0n }]]))
  expect([laneIds(queue, 0), laneIds(queue, 3), queue.size]).toEqual([hex(b), [], 1])
})

it('a transaction without a route leaves the queue, and is reported once', async () => {
  const [a, b] = [queued(0, 10), queued(0, 20)]
  const queue = filled(a, b)
  const routes: Route[] = [
    { kind: 'refused', value: { fault: 'lane_retired', stage: 'default', rule: undefined } },
    { kind: 'routed', value: { lane: 2, dataspace: 0n, stage: 'default', rule: undefined } },
  ]
  const rerouted: string[] = []
  const ledger: Pick<LedgerPort, 'route'> = { route: async () => ({ routes }) }
  const onDropped = (dropped: readonly { readonly transaction: QueuedTransaction; readonly code: string }[]) => {
    for (const { transaction, code } of dropped) rerouted.push(`${transaction.id.toString('hex')} ${code}`)
  }
  const routing = new LaneRouting({ abi: ABI_1, codec, queue, ledger, onDropped })
  routing.changed(before, before)
  await routing.ready
  expect(queue.size).toBe(2)
  routing.changed(before, after)
  await routing.ready
  expect([laneIds(queue, 0), laneIds(queue, 2)]).toEqual([[], hex(b)])
  expect(rerouted).toEqual([`${a.id.toString('hex')} queue_unresolved_route`])
})

it('transactions with many domains are rerouted in batches, each once, in queue order', async () => {
  const domains = Array.from({ length: 1_100 }, (_, index) => `d${index}`.padEnd(120, 'x'))
  const long: Instruction[] = domains.map((id) => ({ kind: 'registerDomain', value: { id, metadata: NO_METADATA } }))
  const all = Array.from({ length: 40 }, (_, index) => queued(0, index, long))
  const asked: number[] = []
  const ledger: Pick<LedgerPort, 'route'> = {
    route: async ({ facts }) => {
      asked.push(facts.reduce((sum, one) => sum + routeFacts.encode(one).length, 0))
      return { routes: facts.map(() => stays) }
    },
  }
  const queue = filled(...all)
  const routing = new LaneRouting({ abi: ABI_1, codec, queue, ledger, onDropped: () => expect.unreachable() })
  routing.changed(before, after)
  await routing.ready
  expect(asked.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(5 * 1024 * 1024)
  expect(asked.length).toBeGreaterThan(1)
  expect(Math.max(...asked)).toBeLessThanOrEqual(4 * 1024 * 1024)
  expect(laneIds(queue, 0)).toEqual(hex(...all))
})

it('a failed reroute is reported to its caller, and later reroutes still run', async () => {
  let fails = true
  const ledger: Pick<LedgerPort, 'route'> = {
    route: async ({ facts }) => {
      if (fails) throw new Error('too long')
      return { routes: facts.map(() => ({ ...stays, value: { ...stays.value, lane: 1 } })) }
    },
  }
  const one = queued(0, 10)
  const queue = filled(one)
  const routing = new LaneRouting({ abi: ABI_1, codec, queue, ledger, onDropped: () => expect.unreachable() })
  await expect(routing.reroute([one])).rejects.toThrow('too long')
  routing.changed(before, after)
  await routing.ready
  expect([laneIds(queue, 0), laneIds(queue, 1)]).toEqual([hex(one), []])
  fails = false
  routing.changed(after, before)
  await routing.ready
  expect([laneIds(queue, 0), laneIds(queue, 1)]).toEqual([[], hex(one)])
})

it('the position of a transaction counts only earlier transactions of its lane', () => {
  const [a, b, c, d] = [queued(0, 10), queued(1, 20), queued(0, 30), queued(0, 40)]
  const queue = filled(a, b, c, d)
  expect([a, b, d].map((one) => queue.placeOf(one.id))).toEqual([
    { lane: 0, ahead: 0, teuAhead: 0 },
    { lane: 1, ahead: 0, teuAhead: 0 },
    { lane: 0, ahead: 2, teuAhead: 40 },
  ])
  queue.remove(a.id)
  expect(queue.placeOf(d.id)).toEqual({ lane: 0, ahead: 1, teuAhead: 30 })
  expect(queue.placeOf(a.id)).toBeUndefined()
})
