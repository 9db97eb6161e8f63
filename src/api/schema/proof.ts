/**
 * Owns the proofs that can be verified with the genesis hash alone: finality, state, transactions; and lists of
 * headers.
 */
import {
  bytes,
  hash32,
  type Infer,
  list,
  omissible,
  option,
  type Schema,
  struct,
  u16,
  varint,
} from '../../codec/index.js'
import type { MerkleProof } from '../../crypto/merkle.js'
import {
  blockHeader,
  certifiedHeader,
  entryResult,
  quorumCertificate,
  ROSTER_MAX,
  validatorKey,
} from '../../model/index.js'
import { stateProof } from '../../state/proof.js'
import { pageOf } from '../paging.js'
import { HISTORY_MAX } from './consensus-detail.js'

/** Maximum size of a genesis payload in a proof, in bytes. */
const GENESIS_MAX_BYTES = 64 * 1024 * 1024
/**
 * Maximum number of roster changes in one proof. Each epoch is one change; a longer proof must be split, and each part
 * must start where the previous one ended.
 */
export const ROSTER_STEPS_MAX = 4_096
/** Maximum size of the record and of the key of a state proof, in bytes; many times the size of the largest roster. */
const ROW_MAX_BYTES = 1024 * 1024
const ROW_KEY_MAX_BYTES = 4 * 1024
/** Maximum size of a signed record, in bytes (src/model/limits.ts has a far lower bound). */
const SIGNED_MAX_BYTES = 16 * 1024 * 1024
/** Maximum levels of a Merkle tree over the entries of a block. */
const PATH_MAX = 64

/** Header with its hash. */
export interface HeaderView extends Infer<typeof headerView_> {}
const headerView_ = struct('HeaderView', {
  hash: hash32,
  header: blockHeader,
  /** Absent at genesis, which the genesis key signs. */
  certificate: option(quorumCertificate),
})
/** Headers, newest first. */
export const headerList = pageOf<HeaderView>('HeaderList', headerView_, HISTORY_MAX)

/** Roster with its first height, proven by the previous roster. */
export interface RosterStep extends Infer<typeof rosterStep_> {}
const rosterStep_ = struct('RosterStep', {
  height: varint,
  /** Keys in roster order; their hash is the `roster_hash` of `first`. */
  roster: list(validatorKey, ROSTER_MAX),
  /**
   * Epoch of elected validators, with the seed of its committees; absent for the open epoch that began with genesis.
   */
  epoch: omissible(struct('RosterStepEpoch', { number: varint, seed: hash32 })),
  /**
   * Header of the height below, certified by the previous roster: it determines the committee of `first`. Absent at
   * height 2.
   */
  before: option(certifiedHeader),
  /** Header of this height, certified by the new committee. */
  first: certifiedHeader,
})

/**
 * Proof that a block is final, given only the genesis hash: the genesis determines the first committee, each roster
 * change is signed by the roster before it, and the last roster signed the block.
 */
export interface FinalityProof extends Infer<typeof finalityProof> {}
export const finalityProof = struct('FinalityProof', {
  genesisHeader: blockHeader,
  /** Canonical bytes of the genesis payload, which bind signatures to this chain. */
  genesisPayload: bytes(GENESIS_MAX_BYTES),
  /** Rosters in ascending order, from height 2, or from the first roster above the requested start of the proof. */
  rosters: list(rosterStep_, ROSTER_STEPS_MAX),
  block: certifiedHeader,
})

/** Record of the world state, or its absence, under the state root of a final block. */
export interface StateRecordProof extends Infer<typeof stateRecordProof> {}
export const stateRecordProof = struct('StateRecordProof', {
  height: varint,
  tableId: u16,
  /** Canonical bytes of the key. */
  key: bytes(ROW_KEY_MAX_BYTES),
  /** Canonical bytes of the record; absent if the proof shows that it does not exist. */
  value: option(bytes(ROW_MAX_BYTES)),
  proof: stateProof,
  finality: finalityProof,
})

const merkleProof_ = struct('MerkleProof', { index: varint, leafCount: varint, path: list(hash32, PATH_MAX) })
const merkleProof: Schema<MerkleProof> = merkleProof_

/** Transaction and its result in a final block. */
export interface TransactionProof extends Infer<typeof transactionProof> {}
export const transactionProof = struct('TransactionProof', {
  height: varint,
  transactionHash: hash32,
  /** Canonical bytes of the signed record. */
  transaction: bytes(SIGNED_MAX_BYTES),
  /** Proof under the header's `transactions_root`. */
  transactionProof: merkleProof,
  result: entryResult,
  /** Proof under the header's `results_root`; runs of triggers follow the transactions. */
  resultProof: merkleProof,
  finality: finalityProof,
})
