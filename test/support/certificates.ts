/** Owns certificates signed by committees of test peers, for arbitrary blocks. */
import { bitmapOf, type HeightContext, voteSignBytes } from '../../src/consensus/index.js'
import type { BlsBackend } from '../../src/crypto/bls.js'
import { nobleBackend } from '../../src/crypto/bls-noble.js'
import { type BlockHeader, hashOfHeader, keyString, type Phase, type QuorumCertificate } from '../../src/model/index.js'
import type { TestPeer } from './chain.js'

/**
 * Certificate for a block at the height of a context, signed by the first members of its committee, by default a
 * quorum.
 */
export function certificateOf(
  { committee, chainHash, epoch, height }: HeightContext,
  peers: readonly TestPeer[],
  phase: Phase,
  header: BlockHeader,
  signers = committee.quorum,
  view = 0,
  bls: Pick<BlsBackend, 'sign' | 'aggregate'> = nobleBackend(),
): QuorumCertificate {
  const domain = { chainHash, committeeHash: committee.hash, epoch, height }
  const positions = committee.keys.map((_, at) => at).slice(0, signers)
  const blockHash = hashOfHeader(header)
  const message = voteSignBytes(domain, phase, view, blockHash)
  const signatures = positions.map((at) => {
    const signer = peers.find((one) => keyString(one.bls.publicKey.bytes) === committee.keys[at])
    if (signer === undefined) throw new Error('no peer has this key')
    return bls.sign(signer.bls.secret, message)
  })
  const aggregate = bls.aggregate(signatures)
  if (aggregate === undefined) throw new Error('the votes of a committee add up')
  const bitmap = bitmapOf(committee.keys.length, positions)
  return { phase, height, view, blockHash, committeeHash: committee.hash, bitmap, aggregate }
}
