// A queued transaction that fits into no block: the node continues, and checks it again by the rules of the next block.
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { BlockWork } from '../../../src/node/consensus/block-work.js'
import { type ConsensusDriver, REBUILD_MS } from '../../../src/node/consensus/driver.js'
import type { QueuedTransaction, TransactionQueue } from '../../../src/queue/index.js'
import { signedBy, type TestAccount, testAccount, transferOf } from '../../support/chain.js'
import { Cluster, type Member } from '../../support/cluster.js'
import { pause } from '../../support/ports.js'

/** Parts of a node that these tests replace or watch. */
interface Parts {
  readonly queue: TransactionQueue
  readonly driver: ConsensusDriver
  readonly work: Pick<BlockWork, 'build'>
}
function partsOf({ core }: Member): Parts {
  const { driver } = core['consensus']
  return { queue: core['common'].queue, driver, work: driver['modules'].work }
}

/** A record in a lane that there is not. */
const waiting = (one: Pick<QueuedTransaction, 'id' | 'signedHash' | 'bytes'>): QueuedTransaction => ({
  id: one.id,
  signedHash: one.signedHash,
  bytes: one.bytes,
  authority: alice.id,
  route: { lane: 7, dataspace: 0n },
  teu: 240,
  work: 0,
  proofWork: 0,
  expiresAtMs: Date.now() + 60_000,
  enteredAtMs: performance.now(),
})

let cluster: Cluster
let alice: TestAccount
let bob: TestAccount

beforeAll(async () => {
  ;[alice, bob] = await Promise.all([testAccount('alice'), testAccount('bob')])
  cluster = await Cluster.start(1, [alice, bob])
})
afterAll(() => cluster.close())

describe('a queued transaction whose lane is not served', () => {
  it('does not block other transactions, and is included once it has been rerouted', async () => {
    const member = cluster.list[0]!
    const { queue, driver } = partsOf(member)
    const one = signedBy(alice, [transferOf(alice.id, bob.id, 1n)], Date.now())
    const { height } = member.core
    expect(queue.push(waiting(one))).toBeUndefined()
    driver.notifyWork()
    await pause(50)
    await cluster.until('its block', () => member.core.height > height)
    expect(queue.has(one.id)).toBe(false)
  })

  it('is dropped if the active ABI cannot decode it', async () => {
    const { queue, driver } = partsOf(cluster.list[0]!)
    const lost = { id: Buffer.alloc(32, 1), signedHash: Buffer.alloc(32, 2), bytes: Buffer.from('no record') }
    expect(queue.push(waiting(lost))).toBeUndefined()
    driver.notifyWork()
    await cluster.until('its end', () => !queue.has(lost.id))
  })
})

describe('a node that cannot build a block', () => {
  it('retries, and does not block other work meanwhile', async () => {
    const { queue, driver, work } = partsOf(cluster.list[0]!)
    let timeMs = 0
    const askedAt: number[] = []
    const build = work.build
    work.build = async () => {
      askedAt.push(timeMs)
      return undefined
    }
    const one = signedBy(alice, [transferOf(alice.id, bob.id, 1n)], Date.now())
    queue.push({ ...waiting(one), route: { lane: 0, dataspace: 0n } })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      driver.notifyWork()
      while (queue.has(one.id)) {
        if (askedAt.length === 4) work.build = build
        await turn()
        vi.advanceTimersByTime(1)
        timeMs += 1
      }
    } finally {
      vi.useRealTimers()
    }
    // Time passes between any two of them, which the node has for all else.
    const pauses = askedAt.slice(1).map((atMs, index) => atMs - (askedAt[index] ?? 0))
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(REBUILD_MS)
  })
})
