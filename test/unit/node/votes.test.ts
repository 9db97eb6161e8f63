/** Votes of members and heights of peers, as reported by a member of a real cluster. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signedBy, type TestAccount, testAccount, transferOf } from '../../support/chain.js'
import { Cluster, type Member } from '../../support/cluster.js'

let cluster: Cluster
let alice: TestAccount
let bob: TestAccount
beforeAll(async () => {
  ;[alice, bob] = await Promise.all([testAccount('alice'), testAccount('bob')])
  cluster = await Cluster.start(4, [alice, bob])
})
afterAll(() => cluster.close())

const pay = (member: Member) =>
  member.core.services.submit(signedBy(alice, [transferOf(alice.id, bob.id, 1n)], Date.now()).bytes)

it('peers that commit are last reported at the height of the node, or one below', async () => {
  const [first] = cluster.list as [Member]
  for (let count = 0; count < 3; count += 1) {
    const { height } = first.core
    await pay(first)
    await cluster.until('a commit on all', () => cluster.list.every(({ core }) => core.height > height))
  }
  const heights = first.core.services.peers().items.map(({ height }) => height ?? 0)
  expect(heights).toHaveLength(3)
  for (const height of heights) {
    expect(height).toBeGreaterThanOrEqual(first.core.height - 1)
    expect(height).toBeLessThanOrEqual(first.core.height)
  }
})

it('votes of two of four validators are kept and shown while the others are offline, without a commit', async () => {
  // Without a quorum no view ends: the one that proposes now has to stay.
  const { proposer } = cluster.list[0]!.core.services.consensus(true)
  const leads = ({ core }: Member): boolean => core.services.info.validatorKey === proposer
  const [first, second, ...others] = cluster.list.toSorted((a, b) => Number(leads(b)) - Number(leads(a))) as [
    Member,
    Member,
    Member,
    Member,
  ]
  for (const member of others) await member.stop()
  await pay(first)
  const votes = () => [first, second].map(({ core }) => core.services.consensus(true).votes)
  await cluster.until('prepare votes', () => votes().some((one) => (one?.prepare.length ?? 0) > 0))
  for (const held of votes()) {
    expect(held?.commit).toEqual([])
    expect(held?.prepare.length).toBeLessThanOrEqual(2)
    expect(held?.prepare).toEqual([...(held?.prepare ?? [])].toSorted((a, b) => a - b))
    for (const position of held?.prepare ?? []) expect(position).toBeLessThan(4)
  }
})
