/** A running network changes: validators join and leave, keys rotate, one without its votes abstains, a liar is proven guilty. */

import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPop } from '../../../src/crypto/bls-pop.js'
import { generateKeyPair } from '../../../src/crypto/index.js'
import { instructions as peers } from '../../../src/features/peers/schema.js'
import { instructions as permissions } from '../../../src/features/permissions/schema.js'
import { type Evidence, type Instruction, instruction, keyString } from '../../../src/model/index.js'
import { signedBy, type TestAccount, type TestPeer, testAccount, testPeer, transferOf } from '../../support/chain.js'
import { Cluster, type Member } from '../../support/cluster.js'
import { doubleVote } from '../../support/double-vote.js'

let alice: TestAccount
let bob: TestAccount
let cluster: Cluster

const grant = (name: string, to: string): Instruction =>
  instruction(permissions.grant, {
    subject: { kind: 'permission', value: { name, object: undefined } },
    to: { kind: 'account', value: to },
  })

beforeEach(async () => {
  alice = await testAccount('alice')
  bob = await testAccount('bob')
  const admin = await testAccount('genesis')
  cluster = await Cluster.start(
    4,
    [alice, bob],
    [grant('CanManagePeers', admin.id), grant('CanManageConsensusKeys', admin.id)],
  )
})

afterEach(() => cluster.close())

const first = (): Member => cluster.list[0] as Member
const pay = (amount: bigint) => signedBy(alice, [transferOf(alice.id, bob.id, amount)], Date.now())

/** Commits `count` blocks, one payment each. */
async function blocks(count: number): Promise<void> {
  for (let block = 0; block < count; block++) {
    const height = first().core.height
    expect((await first().core.services.submit(pay(1n).bytes)).ok).toBe(true)
    await cluster.until('the next block', () => cluster.list.every((member) => member.core.height > height))
  }
}

/** Commits one instruction of the admin. */
async function administer(instruction: Instruction): Promise<void> {
  const record = signedBy(cluster.admin, [instruction], Date.now())
  const { rejected } = first().core.tip
  const height = first().core.height
  expect((await first().core.services.submit(record.bytes)).ok).toBe(true)
  await cluster.until('the instruction', () => cluster.list.every((member) => member.core.height > height))
  expect(first().core.tip.rejected).toBe(rejected)
}

const roots = () => new Set(cluster.list.map((member) => Buffer.from(member.core.tip.stateRoot).toString('hex')))
const roleOf = (member: Member): string => member.core.services.consensus(true).role

describe('a running network', () => {
  it('adds a fifth validator, which syncs and becomes a voter or standby, and removes one', async () => {
    await blocks(2)
    const fifth = await testPeer(4)
    await administer(instruction(peers.registerPeer, { peer: fifth.peer, force: false }))
    const joined = await cluster.startMember(fifth)
    await cluster.until('the new one to be in sync', () => joined.core.height === first().core.height)
    await blocks(6)
    expect(first().core.tip.schedule.roster).toHaveLength(5)
    expect(['member', 'standby']).toContain(roleOf(joined))
    expect(roots().size).toBe(1)

    const leaving = cluster.list[3] as Member
    await administer(instruction(peers.unregisterPeer, { peer: leaving.key, force: false }))
    await blocks(3)
    expect(roleOf(leaving)).toBe('observer')
    await leaving.stop()
    await blocks(3)
    expect(first().core.tip.schedule.roster).not.toContain(leaving.key)
    // Four are left and each of them votes.
    expect(cluster.list.map(roleOf)).toEqual(['member', 'member', 'member', 'member'])
    expect(roots().size).toBe(1)
  })

  it('rotates a consensus key, so that the same peer votes with the new key', async () => {
    await blocks(2)
    const old = cluster.list[3] as Member
    const peer = cluster.peers[3]
    if (peer === undefined) throw new Error('four peers')
    const pair = await generateKeyPair('bls', Buffer.from('rotated'))
    const newKey = keyString(pair.publicKey.bytes)
    await old.stop()
    const rotated = await cluster.startMember(peer, { nextValidator: pair })
    const activeFrom = first().core.height + 6
    await administer(
      instruction(peers.rotateConsensusKey, { peer: peer.peer.key, newKey, pop: createPop(pair.secret), activeFrom }),
    )
    await blocks(8)
    expect(first().core.tip.schedule.roster).toContain(newKey)
    expect(roleOf(rotated)).toBe('member')
    // With another one away, every vote of the remaining three is needed: those of the new key too.
    await (cluster.list[1] as Member).stop()
    await blocks(4)
    expect(roots().size).toBe(1)
  })

  it('continues while a validator with lost votes abstains, and this validator votes again three heights later', async () => {
    await blocks(3)
    const lost = cluster.list[3] as Member
    const peer = cluster.peers[3]
    if (peer === undefined) throw new Error('four peers')
    await lost.stop()
    await unlink(join(lost.dataDir, 'votes.log'))
    const back = await cluster.startMember(peer)
    expect(roleOf(back)).toBe('standby')
    // Its peers show their heights with their Status; it counts from there.
    await cluster.until('all three to show their height', async () => {
      await blocks(1)
      return roleOf(back) === 'member'
    })
    await (cluster.list[1] as Member).stop()
    await blocks(3)
    expect(roots().size).toBe(1)
  })

  it('stalls while too many validators abstain, until operators accept the lost votes', async () => {
    await blocks(2)
    for (const index of [2, 3]) {
      const lost = cluster.members.get(cluster.peers[index]?.peer.key ?? '') as Member
      await lost.stop()
      await unlink(join(lost.dataDir, 'votes.log'))
    }
    for (const index of [2, 3]) await cluster.startMember(cluster.peers[index] as TestPeer)
    const { height } = first().core
    expect((await first().core.services.submit(pay(1n).bytes)).ok).toBe(true)
    await cluster.until('a stall', () => first().core.services.consensus(true).stall !== undefined)
    expect(first().core.height).toBe(height)
    const abstaining = cluster.members.get(cluster.peers[2]?.peer.key ?? '') as Member
    await abstaining.stop()
    await cluster.startMember(cluster.peers[2] as TestPeer, { acceptAmnesia: true })
    await cluster.until('the next block', () => cluster.list.every((member) => member.core.height > height))
    expect(roots().size).toBe(1)
  })

  it('records a proven double vote in one block, once, whichever node reports it', async () => {
    await blocks(2)
    const { tip } = first().core
    const record = doubleVote(cluster, 3)
    const other = doubleVote(cluster, 3, [2, 3])
    if (record.proof.kind !== 'doubleVote' || other.proof.kind !== 'doubleVote') throw new Error('no double vote')
    const { first: vote, second } = record.proof.value
    const stolen = { ...other.proof.value.second, signature: second.signature }
    const forged: Evidence = { ...record, proof: { kind: 'doubleVote', value: { first: vote, second: stolen } } }
    expect(await first().core.services.submitEvidence(forged)).toMatchObject({ kind: 'refused' })
    expect(await first().core.services.submitEvidence(record)).toEqual({ kind: 'accepted', fault: 'double_prepare' })
    // Evidence is work: no transaction is needed for a block.
    const before = tip.height
    await cluster.until('a block with it', () => cluster.list.every((member) => member.core.height > before))
    await cluster.until('the pools to be empty', () => cluster.list.every((member) => !member.core.hasEvidence))
    for (const member of cluster.list) {
      expect(await member.core.services.submitEvidence(record)).toEqual({ kind: 'known' })
    }
    expect(roots().size).toBe(1)
    await blocks(2)
    expect(first().core.height).toBe(before + 3)
  })
})
