// A transaction has expired when no block to come can hold it: by the time of the chain, not by the clock of a node.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { queries as explorerQueries } from '../../../src/features/explorer/schema/queries.js'
import { ExpiringTransactions } from '../../../src/node/queue/expiring.js'
import type { QueuedTransaction } from '../../../src/queue/index.js'
import { signedBy, type TestAccount, testAccount, transferOf } from '../../support/chain.js'
import { Cluster } from '../../support/cluster.js'

describe('a transaction that has expired by the local clock', () => {
  let [chainMs, clockMs] = [0, 0]
  let expired: number[]
  let expiring: ExpiringTransactions
  const one = (id: number, expiresAtMs: number) => ({ id: Buffer.alloc(32, id), expiresAtMs }) as QueuedTransaction
  beforeEach(() => {
    chainMs = 100
    clockMs = 500
    expired = []
    expiring = new ExpiringTransactions({
      chainTimeMs: () => chainMs,
      wallMs: () => clockMs,
      onExpired: ({ id }) => expired.push(id[0] ?? 0),
    })
  })

  it('is reported as expired once a block reaches its expiry time, and makes such a block due', () => {
    expiring.add(one(1, 400))
    expect([expiring.has(Buffer.alloc(32, 1)), expiring.isDue, expired]).toEqual([true, true, []])
    chainMs = 399
    expiring.committed([])
    expect([expiring.has(Buffer.alloc(32, 1)), expiring.isDue, expired]).toEqual([true, true, []])
    chainMs = 400
    expiring.committed([])
    expect([expiring.has(Buffer.alloc(32, 1)), expiring.isDue, expired]).toEqual([false, false, [1]])
  })

  it('is not reported as expired if a block still includes it', () => {
    expiring.add(one(1, 400))
    expiring.committed([one(1, 400)])
    chainMs = 450
    expiring.committed([])
    expect(expired).toEqual([])
  })

  it('is reported at once if the chain has reached its expiry time; a future expiry makes no block due yet', () => {
    expiring.add(one(1, 100))
    expect([expired, expiring.isDue]).toEqual([[1], false])
    expiring.want(501)
    expect(expiring.isDue).toBe(false)
    clockMs = 501
    expect(expiring.isDue).toBe(true)
  })
})

describe('a network that loses its quorum', () => {
  let cluster: Cluster
  let alice: TestAccount
  let bob: TestAccount
  beforeEach(async () => {
    ;[alice, bob] = await Promise.all([testAccount('alice'), testAccount('bob')])
    cluster = await Cluster.start(4, [alice, bob])
  })
  afterEach(() => cluster.close())

  it('reports no expiry while a block may still include the transaction, also after a restart', async () => {
    const [first] = cluster.list
    const away = cluster.list.slice(2).map(({ key }) => cluster.peers.find(({ peer }) => peer.key === key))
    for (const member of cluster.list.slice(2)) await member.stop()
    const lifeMs = 5_000
    const paid = signedBy(alice, [transferOf(alice.id, bob.id, 1n)], Date.now(), lifeMs)
    let { services } = first!.core
    expect((await services.submit(paid.bytes)).ok).toBe(true)
    await cluster.until('the end of its life', () => services.queuePlace(paid.id) === undefined)
    expect(services.pending(paid.id)).toEqual({ kind: 'queued' })
    await first!.stop()
    const own = cluster.peers.find(({ peer }) => peer.key === first!.key)
    services = (await cluster.startMember(own!)).core.services
    expect(services.queuePlace(paid.id)).toBeUndefined()
    expect(services.pending(paid.id)).toEqual({ kind: 'queued' })
    for (const peer of away) if (peer !== undefined) await cluster.startMember(peer)
    await cluster.until('the end of it', () => services.pending(paid.id).kind !== 'queued')
    const found = await services.query(explorerQueries.transaction, { hash: paid.id })
    expect(services.pending(paid.id).kind).toBe(found === undefined ? 'expired' : 'unknown')
    expect(services.chainTimeMs()).toBeGreaterThan(0)
  })
})
