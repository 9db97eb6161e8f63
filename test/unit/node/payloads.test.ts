/** Large payloads in a cluster of real nodes: by hashes, by chunks, with a member that got no gossip, over restarts. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RbcStatus } from '../../../src/api/index.js'
import { DEFAULT_PAYLOAD_LIMITS, type PayloadLimits } from '../../../src/consensus/index.js'
import { instructions as parameters } from '../../../src/features/parameters/schema.js'
import { type Instruction, instruction } from '../../../src/model/index.js'
import { signedBy, type TestAccount, testAccount, transferOf } from '../../support/chain.js'
import { Cluster, type Member } from '../../support/cluster.js'

const alice: TestAccount = await testAccount('alice')
const bob: TestAccount = await testAccount('bob')
let cluster: Cluster

afterEach(() => cluster.close())

const pay = () => signedBy(alice, [transferOf(alice.id, bob.id, 1n)], Date.now())
const roots = () => new Set(cluster.list.map((member) => Buffer.from(member.core.tip.stateRoot).toString('hex')))
type Total = Extract<keyof RbcStatus, `${string}Total`>
const sum = (name: Total): number => cluster.list.reduce((total, member) => total + member.core.services.rbc()[name], 0)

/** Limits under which a block of some transfers is large. */
const limits = (changes: Partial<PayloadLimits>): PayloadLimits => ({
  ...DEFAULT_PAYLOAD_LIMITS,
  directBytes: 1_024,
  chunkBytes: 1_024,
  ...changes,
})

async function commit(count: number, to: (member: Member, index: number) => boolean = () => true): Promise<void> {
  const takers = cluster.list.filter(to)
  const before = Math.max(...cluster.list.map((member) => member.core.tip.approved))
  const records = Array.from({ length: count }, pay)
  const answers = await Promise.all(
    records.map((record, index) => (takers[index % takers.length] as Member).core.services.submit(record.bytes)),
  )
  expect(answers.every((answer) => answer.ok)).toBe(true)
  await cluster.until('all transactions', () =>
    cluster.list.every((member) => member.core.tip.approved === before + count),
  )
  await cluster.until('one height', () => new Set(cluster.list.map((member) => member.core.height)).size === 1)
  expect(roots().size).toBe(1)
}

describe('large payloads', () => {
  it('are rebuilt from queued records by their hashes', async () => {
    cluster = await Cluster.start(4, [alice, bob], [], limits({}))
    await commit(120)
    expect(sum('payloadsRebuiltTotal')).toBeGreaterThan(0)
    // Without data availability a compact proposal opens no session.
    expect(sum('sessionsOpenedTotal')).toBe(0)
  })

  it('are completed with records from the proposer if gossip did not deliver them', async () => {
    cluster = await Cluster.start(4, [alice, bob], [], limits({}))
    const [, , , deaf] = cluster.list as [Member, Member, Member, Member]
    cluster.gossips = (_from, to) => to !== deaf.key
    await commit(60, (member) => member !== deaf)
    expect(deaf.core.services.rbc().recordRequestsTotal).toBeGreaterThan(0)
    expect(deaf.core.services.rbc().payloadsRebuiltTotal).toBeGreaterThan(0)
  })

  it('are requested as a whole if more records are missing than one request may contain', async () => {
    cluster = await Cluster.start(4, [alice, bob], [], limits({ recordsPerRequest: 1 }))
    const [, , , deaf] = cluster.list as [Member, Member, Member, Member]
    cluster.gossips = (_from, to) => to !== deaf.key
    await commit(60, (member) => member !== deaf)
    expect(deaf.core.services.rbc().payloadRequestsTotal).toBeGreaterThan(0)
  })

  it.each([0, 1])('are broadcast in chunks above the size of a compact proposal, with fan-out %i', async (fanout) => {
    cluster = await Cluster.start(4, [alice, bob], [], limits({ compactBytes: 0, fanout }))
    await commit(120)
    expect(sum('payloadsRebuiltTotal')).toBe(0)
    expect(sum('sessionsDeliveredTotal')).toBeGreaterThan(0)
    const [session] = cluster.list[0]?.core.services.rbcSessions().items ?? []
    expect(session?.totalChunks).toBeGreaterThan(1)
    expect(session?.receivedChunks).toBe(session?.totalChunks)
    expect(session?.ended).toBe(true)
    expect(session?.laneBacklog.map((lane) => lane.laneId)).toEqual([0])
    expect(session?.laneBacklog[0]?.totalChunks).toBe(session?.totalChunks)
  })

  it('are broadcast with delivery signals at any size if data availability is on', async () => {
    const parameter: Instruction = instruction(parameters.setParameter, { name: 'data_availability', value: 1 })
    cluster = await Cluster.start(4, [alice, bob], [parameter])
    // The parameter of genesis acts from the fourth height on.
    for (let round = 0; round < 4; round++) await commit(4)
    await cluster.until('delivery', () => sum('sessionsDeliveredTotal') >= 3)
    expect(sum('deliverBroadcastsTotal')).toBeGreaterThan(0)
    expect(cluster.list[0]?.core.services.rbc().dataAvailability).toBe(true)
  })

  it('are available after all validators restart at once', async () => {
    cluster = await Cluster.start(4, [alice, bob], [], limits({ compactBytes: 0 }))
    const answers = Promise.all(Array.from({ length: 40 }, () => cluster.list[0]?.core.services.submit(pay().bytes)))
    await answers
    const stopped = cluster.list
    for (const member of stopped) await member.stop()
    for (const peer of [...cluster.peers]) await cluster.startMember(peer)
    await cluster.until('all transactions', () => cluster.list.every((member) => member.core.tip.approved === 40))
    await cluster.until('one height', () => new Set(cluster.list.map((member) => member.core.height)).size === 1)
    expect(roots().size).toBe(1)
  })
})
