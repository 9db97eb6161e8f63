/** Owns the context of the height that is being decided: fixed by the state two heights before. */
import type { ConsensusParameters, QuorumCertificate, ValidatorKey } from '../model/index.js'
import type { ParentRecord } from './parent-certificate.js'
import type { Committee } from './roster.js'
import type { SignDomain } from './sign-bytes.js'

/** Provided by the ledger when the previous height is applied; constant within the height. */
export interface HeightContext {
  readonly height: number
  readonly chain: string
  readonly chainHash: Uint8Array
  readonly epoch: number
  readonly parentHash: Uint8Array
  readonly parentTimeMs: number
  /** Commit certificate of the parent; absent when the parent is genesis. */
  readonly parentCertificate: QuorumCertificate | undefined
  /** Inputs for checking certificates of the parent; absent if the parent is genesis. */
  readonly parent: ParentRecord | undefined
  readonly rosterHash: Uint8Array
  /** Validators of the roster by the names of their peers, which no rotation of keys changes, in roster order. */
  readonly rosterPeers: readonly ValidatorKey[]
  /** Peer of a consensus key of this height or the next one. */
  readonly peerOf: (key: ValidatorKey) => ValidatorKey
  readonly committee: Committee
  /** Proposer order: the committee with demoted members last. */
  readonly order: readonly ValidatorKey[]
  /** Committee of the next height: its messages are parked, and headers contain its hash. */
  readonly nextCommittee: Committee
  readonly parameters: ConsensusParameters
}

/** Signing domain of the messages of this height. */
export const domainOf = (context: HeightContext): SignDomain => ({
  chainHash: context.chainHash,
  committeeHash: context.committee.hash,
  epoch: context.epoch,
  height: context.height,
})
