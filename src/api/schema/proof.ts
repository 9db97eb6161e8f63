/** Owns the records of proofs that hold against the genesis hash alone: finality, state, transactions; and lists of headers. */
import { bytes, hash32, list, option, type Schema, struct, u16, varint } from '../../codec/index.js'
import type { MerkleProof } from '../../crypto/merkle.js'
import {
  type BlockHeader,
  blockHeader,
  type CertifiedHeader,
  certifiedHeader,
  type EntryResult,
  entryResult,
  type QuorumCertificate,
  quorumCertificate,
  ROSTER_MAX,
  type ValidatorKey,
  validatorKey,
} from '../../model/index.js'
import { type StateProof, stateProof } from '../../state/proof.js'
import { pageOf } from '../paging.js'
import { HISTORY_MAX } from './consensus-detail.js'

/** Largest genesis payload that a proof carries, in bytes. */
const GENESIS_MAX_BYTES = 64 * 1024 * 1024
/** Changes of the roster that one proof carries: years of them. */
export const ROSTER_STEPS_MAX = 4_096
/** Largest record and key of a state proof, in bytes; the list of the largest roster fits many times. */
const ROW_MAX_BYTES = 1024 * 1024
const ROW_KEY_MAX_BYTES = 4 * 1024
/** Largest signed record, in bytes (src/model/limits.ts bounds it far lower). */
const SIGNED_MAX_BYTES = 16 * 1024 * 1024
/** Levels of a Merkle tree over the entries of a block. */
const PATH_MAX = 64

/** A header with its hash. */
export interface HeaderView {
  readonly hash: Uint8Array
  readonly header: BlockHeader
  /** Absent at genesis, which its own key signs. */
  readonly certificate: QuorumCertificate | undefined
}
const headerView_ = struct('HeaderView', {
  hash: hash32,
  header: blockHeader,
  certificate: option(quorumCertificate),
})
/** Headers, newest first. */
export const headerList = pageOf('HeaderList', headerView_ as Schema<HeaderView>, HISTORY_MAX)

/** A roster that acts from a height on, proven by the one before it. */
export interface RosterStep {
  readonly height: number
  /** Keys in roster order; their hash is the `roster_hash` of `first`. */
  readonly roster: readonly ValidatorKey[]
  /** Header of the height below, certified by the roster before: it fixes the committee of `first`. Absent at height 2. */
  readonly before: CertifiedHeader | undefined
  /** Header of this height, certified by the new committee. */
  readonly first: CertifiedHeader
}
const rosterStep_ = struct('RosterStep', {
  height: varint,
  roster: list(validatorKey, ROSTER_MAX),
  before: option(certifiedHeader),
  first: certifiedHeader,
})

/**
 * Shows that a block is final to who knows the genesis hash alone: the genesis that has this hash fixes the first
 * committee, each change of the roster is signed by the roster before it, the last one signed the block.
 */
export interface FinalityProof {
  readonly genesisHeader: BlockHeader
  /** Canonical bytes of the genesis payload: they bind signatures to this chain. */
  readonly genesisPayload: Uint8Array
  /** Ascending; the first is that of height 2. */
  readonly rosters: readonly RosterStep[]
  readonly block: CertifiedHeader
}
const finalityProof_ = struct('FinalityProof', {
  genesisHeader: blockHeader,
  genesisPayload: bytes(GENESIS_MAX_BYTES),
  rosters: list(rosterStep_, ROSTER_STEPS_MAX),
  block: certifiedHeader,
})
export const finalityProof: Schema<FinalityProof> = finalityProof_

/** A record of the world state, or its absence, under the state root of a final block. */
export interface StateRecordProof {
  readonly height: number
  readonly tableId: number
  /** Canonical bytes of the key. */
  readonly key: Uint8Array
  /** Canonical bytes of the record; absent: the proof shows that there is none. */
  readonly value: Uint8Array | undefined
  readonly proof: StateProof
  readonly finality: FinalityProof
}
const stateRecordProof_ = struct('StateRecordProof', {
  height: varint,
  tableId: u16,
  key: bytes(ROW_KEY_MAX_BYTES),
  value: option(bytes(ROW_MAX_BYTES)),
  proof: stateProof,
  finality: finalityProof,
})
export const stateRecordProof: Schema<StateRecordProof> = stateRecordProof_

const merkleProof_ = struct('MerkleProof', { index: varint, leafCount: varint, path: list(hash32, PATH_MAX) })
const merkleProof: Schema<MerkleProof> = merkleProof_

/** A transaction and its result in a final block. */
export interface TransactionProof {
  readonly height: number
  readonly transactionHash: Uint8Array
  /** Canonical bytes of the signed record. */
  readonly transaction: Uint8Array
  /** Under the header's `transactions_root`. */
  readonly transactionProof: MerkleProof
  readonly result: EntryResult
  /** Under the header's `results_root`; runs of triggers follow the transactions. */
  readonly resultProof: MerkleProof
  readonly finality: FinalityProof
}
const transactionProof_ = struct('TransactionProof', {
  height: varint,
  transactionHash: hash32,
  transaction: bytes(SIGNED_MAX_BYTES),
  transactionProof: merkleProof,
  result: entryResult,
  resultProof: merkleProof,
  finality: finalityProof,
})
export const transactionProof: Schema<TransactionProof> = transactionProof_
