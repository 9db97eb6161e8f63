/** Owns valid evidence: a member of a cluster's committee that signed two votes for one view. */
import { selectCommittee, voteSignBytes } from '../../src/consensus/index.js'
import { nobleBackend } from '../../src/crypto/bls-noble.js'
import type { Evidence } from '../../src/model/index.js'
import type { Tip } from '../../src/node/ledger/protocol.js'
import type { TestPeer } from './chain.js'
import type { Cluster } from './cluster.js'

/** Index of the faulty member in the committee. */
const INDEX = 1

/** Two prepare votes of one member for view 0 of a height, for synthetic blocks with these numbers. */
export function doubleVote(cluster: Cluster, height: number, blocks: readonly [number, number] = [1, 2]): Evidence {
  const member = cluster.list[0]
  if (member === undefined) throw new Error('the cluster has no member')
  const { tip, services } = member.core
  return doubleVoteOf({ tip, peers: cluster.peers, context: services.info }, height, blocks)
}

/** The same, for callers with the peers and the state of a chain. */
export function doubleVoteOf(
  known: {
    readonly tip: Tip
    readonly peers: readonly TestPeer[]
    readonly context: { readonly chainHash: Uint8Array }
  },
  height: number,
  blocks: readonly [number, number] = [1, 2],
): Evidence {
  const { tip, peers } = known
  const { chainHash } = known.context
  const committee = selectCommittee(tip.schedule.roster, chainHash, tip.schedule.seed, height)
  const byzantine = peers.find((one) => one.peer.key === committee.keys[INDEX])
  if (byzantine === undefined) throw new Error('a member of the committee is no peer')
  const domain = { chainHash, committeeHash: committee.hash, epoch: 0, height }
  const [first, second] = blocks.map((block) => {
    const blockHash = Buffer.alloc(32, block)
    const signature = nobleBackend().sign(byzantine.bls.secret, voteSignBytes(domain, 'prepare', 0, blockHash))
    return { phase: 'prepare' as const, view: 0, blockHash, signature }
  })
  if (first === undefined || second === undefined) throw new Error('two votes make a double vote')
  return { height, index: INDEX, proof: { kind: 'doubleVote', value: { first, second } } }
}
