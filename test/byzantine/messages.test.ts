/**
 * Messages of hostile peers, a validator's and an observer's, generated from what a running network says: no node ends, the
 * chain goes on with the same state everywhere, and no handler throws. `BYZANTINE_MESSAGES` counts them; `npm run soak` has a million.
 */
import { afterEach, expect, it } from 'vitest'
import type { ConsensusMessage } from '../../src/consensus/index.js'
import { contextAfter } from '../../src/node/consensus/context.js'
import type { GossipMessage } from '../../src/node/peers/gossip.js'
import { signedBy, type TestAccount, testAccount, testPeer, transferOf } from '../support/chain.js'
import { Cluster, type Member } from '../support/cluster.js'
import { doubleVote } from '../support/double-vote.js'
import { Hostile, RARE } from './hostile.js'
import { randomOf } from './mutate.js'

const MESSAGES = Number(process.env.BYZANTINE_MESSAGES ?? 2_500)
const SEED = Number(process.env.BYZANTINE_SEED ?? 1)
/** Messages between two looks at the network. */
const ROUND = 500

const alice: TestAccount = await testAccount('alice')
const bob: TestAccount = await testAccount('bob')
let cluster: Cluster

afterEach(() => cluster.close())

it.each([
  ['a validator', 0.7],
  ['an observer', 0.3],
] as const)(
  `the network tolerates ${MESSAGES} invalid messages from %s, seed ${SEED}`,
  async (role, share) => {
    const messages = Math.ceil(MESSAGES * share)
    cluster = await Cluster.start(4, [alice, bob])
    const pay = () => signedBy(alice, [transferOf(alice.id, bob.id, 1n)], Date.now())
    const last = cluster.list.at(-1) as Member
    const byzantine = cluster.peers.find((one) => one.peer.key === last.key)
    if (byzantine === undefined) throw new Error('the last member is a peer')
    const others = cluster.list.filter((member) => member !== last)
    const [first] = others as [Member]
    // The core knows an observer by the key of its link alone, which is in no roster.
    const sender = role === 'a validator' ? byzantine : await testPeer(9)
    const hostile = new Hostile(randomOf(SEED, role), sender.bls, () =>
      contextAfter(first.core.tip, cluster.pinned.chainHash),
    )
    cluster.onMessage = (channel, body) => hostile.intercept(channel, body)
    const commit = async (): Promise<void> => {
      const before = first.core.tip.approved
      expect((await first.core.services.submit(pay().bytes)).ok).toBe(true)
      await cluster.until('a commit', () => others.every((member) => member.core.tip.approved > before))
    }
    for (let count = 0; count < 3; count++) await commit()
    await last.stop()
    for (const message of RARE) hostile.record('consensus', message)
    hostile.record('gossip', { kind: 'evidence', value: [doubleVote(cluster, first.core.height - 1)] })
    hostile.record('gossip', { kind: 'want', value: [Buffer.alloc(32, 1)] })
    hostile.record('gossip', { kind: 'offer', value: [Buffer.alloc(32, 1)] })
    hostile.record('gossip', { kind: 'timeRequest', value: 1 })
    hostile.record('gossip', { kind: 'timeResponse', value: { number: 1, clockMs: 1 } })
    const wanted = { height: 2, blockHash: Buffer.alloc(32, 1), index: 0 }
    hostile.record('gossip', { kind: 'snapshotWanted', value: 0 })
    hostile.record('gossip', { kind: 'snapshotOffer', value: { manifest: undefined } })
    hostile.record('gossip', { kind: 'chunkWanted', value: wanted })
    hostile.record('gossip', { kind: 'snapshotChunk', value: { wanted, chunk: Buffer.alloc(64, 1) } })
    await commit()

    while (hostile.sent < messages) {
      for (let count = 0; count < ROUND; count++) {
        const { channel, body } = hostile.next()
        for (const member of others) cluster.inject(sender.peer.key, member, channel, body)
        if (count % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
      expect(cluster.failures).toEqual([])
      await commit()
    }
    const handlers = cluster.bans.filter(({ why }) => why.includes('could not be'))
    expect(handlers).toEqual([])
    const roots = () =>
      new Set(others.map(({ core }) => `${core.height} ${Buffer.from(core.tip.stateRoot).toString('hex')}`))
    await cluster.until('one state', () => roots().size === 1)
    // Every kind was tried.
    expect([...hostile.kinds].sort()).toEqual(Object.keys(KINDS).sort())
  },
  600_000 + 10 * MESSAGES,
)

/** Every kind of both protocols; the compiler misses none. */
const KINDS: Readonly<Record<`consensus:${ConsensusMessage['kind']}` | `gossip:${GossipMessage['kind']}`, true>> = {
  'consensus:proposal': true,
  'consensus:vote': true,
  'consensus:timeout': true,
  'consensus:certificate': true,
  'consensus:timeoutCertificate': true,
  'consensus:status': true,
  'consensus:payloadRequest': true,
  'consensus:payloadResponse': true,
  'consensus:syncRequest': true,
  'consensus:syncResponse': true,
  'consensus:recordRequest': true,
  'consensus:recordResponse': true,
  'consensus:rbcInit': true,
  'consensus:rbcChunk': true,
  'consensus:rbcReady': true,
  'consensus:rbcDeliver': true,
  'consensus:rbcRequest': true,
  'gossip:records': true,
  'gossip:offer': true,
  'gossip:want': true,
  'gossip:evidence': true,
  'gossip:timeRequest': true,
  'gossip:timeResponse': true,
  'gossip:snapshotWanted': true,
  'gossip:snapshotOffer': true,
  'gossip:chunkWanted': true,
  'gossip:snapshotChunk': true,
}
