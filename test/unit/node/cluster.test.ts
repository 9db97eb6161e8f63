import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DIRECT_PAYLOAD_MAX_BYTES } from '../../../src/consensus/index.js'
import { queries as accountQueries } from '../../../src/features/accounts/schema.js'
import { instructions as metadata } from '../../../src/features/metadata/schema.js'
import { type Instruction, instruction } from '../../../src/model/index.js'
import { signedBy, type TestAccount, testAccount, transferOf } from '../../support/chain.js'
import { Cluster, type Member } from '../../support/cluster.js'
import { pause } from '../../support/ports.js'

let alice: TestAccount
let bob: TestAccount
let cluster: Cluster

beforeEach(async () => {
  alice = await testAccount('alice')
  bob = await testAccount('bob')
  cluster = await Cluster.start(4, [alice, bob])
})

afterEach(() => cluster.close())

const pay = (amount: bigint) => signedBy(alice, [transferOf(alice.id, bob.id, amount)], Date.now())

async function balance(member: Member, account: TestAccount): Promise<bigint> {
  const view = await member.core.services.query(accountQueries.account, { id: account.id, alias: undefined })
  return view?.balances[0]?.amount.mantissa ?? 0n
}

const roots = () => new Set(cluster.list.map((member) => Buffer.from(member.core.tip.stateRoot).toString('hex')))

describe('four validators', () => {
  it('commit a payment accepted by one of them, and reach the same state root', async () => {
    const [first] = cluster.list as [Member]
    const answer = await first.core.services.submit(pay(5n).bytes)
    expect(answer.ok).toBe(true)
    await cluster.until('height 2 on all', () => cluster.list.every((member) => member.core.height === 2))
    expect(roots().size).toBe(1)
    for (const member of cluster.list) expect(await balance(member, bob)).toBe(1_000_005n)
  })

  it('make no block and change no view while idle', async () => {
    await pause(1_500)
    for (const member of cluster.list) {
      expect(member.core.height).toBe(1)
      expect(member.core.services.consensus(true).viewChanges).toBe(0)
    }
  })

  it('commit every acknowledged transaction exactly once under load on all nodes', async () => {
    const records = Array.from({ length: 400 }, () => pay(1n))
    const members = cluster.list
    const answers = await Promise.all(
      records.map((record, index) => (members[index % members.length] as Member).core.services.submit(record.bytes)),
    )
    expect(answers.every((answer) => answer.ok)).toBe(true)
    await cluster.until('all transactions', () => members.every((member) => member.core.tip.approved === 400))
    await cluster.until('one height', () => new Set(members.map((member) => member.core.height)).size === 1)
    expect(roots().size).toBe(1)
    expect(await balance(members[0] as Member, bob)).toBe(1_000_400n)
  })

  it('reject a duplicate transaction, and a transaction of an unknown account', async () => {
    const [first] = cluster.list as [Member]
    const record = pay(1n)
    expect((await first.core.services.submit(record.bytes)).ok).toBe(true)
    const again = await first.core.services.submit(record.bytes)
    expect(again.ok === false && again.error.code).toMatch(/already_(enqueued|committed)/)
    await cluster.until('a commit', () => first.core.height === 2)
    const late = await first.core.services.submit(record.bytes)
    expect(late.ok === false && late.error.code).toBe('already_committed')
    const outsider = await testAccount('stranger')
    const foreign = await first.core.services.submit(
      signedBy(outsider, [transferOf(outsider.id, bob.id, 1n)], Date.now()).bytes,
    )
    expect(foreign.ok === false && foreign.error.code).toBe('unknown_account')
  })

  it('fetch the payload separately if it is too large for a proposal', async () => {
    const note = 'x'.repeat(15 * 1024)
    const large = Array.from(
      { length: 24 },
      (_, key): Instruction =>
        instruction(metadata.setKeyValue, {
          target: { kind: 'account', value: alice.id },
          key: `note${key % 4}`,
          value: note,
        }),
    )
    const record = signedBy(alice, large, Date.now())
    expect(record.bytes.length).toBeGreaterThan(DIRECT_PAYLOAD_MAX_BYTES)
    const [first] = cluster.list as [Member]
    expect((await first.core.services.submit(record.bytes)).ok).toBe(true)
    await cluster.until('a commit on all', () => cluster.list.every((member) => member.core.tip.approved === 1))
    expect(roots().size).toBe(1)
  })

  it('continue with three validators, and the fourth catches up after its restart', async () => {
    const [first, , , last] = cluster.list as [Member, Member, Member, Member]
    const peer = cluster.peers.find((one) => one.peer.key === last.key)
    await last.stop()
    for (let count = 0; count < 3; count++) {
      const before = first.core.tip.approved
      expect((await first.core.services.submit(pay(1n).bytes)).ok).toBe(true)
      await cluster.until('a commit of three', () => first.core.tip.approved === before + 1)
    }
    if (peer === undefined) throw new Error('no such peer')
    const back = await cluster.startMember(peer)
    await cluster.until('the fourth to catch up', () => back.core.height === first.core.height)
    expect(roots().size).toBe(1)
    expect(await balance(back, bob)).toBe(1_000_003n)
  })
})
