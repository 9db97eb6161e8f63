/** Owns the block header and its hash (docs/design/consensus.md 3). */
import { hash32, type Infer, struct, u32, varint } from '../codec/index.js'
import { hash } from '../crypto/index.js'
import { type ValidatorKey, validatorKey } from './keys.js'
import { chainId } from './names.js'

/** Header that binds everything that validators agree on about one block. All hashes are 32 bytes. */
export interface BlockHeader extends Infer<typeof blockHeader> {}
export const blockHeader = struct('BlockHeader', {
  chain: chainId,
  height: varint,
  parentHash: hash32,
  /** View in which the block was created; kept by re-proposals, so that the hash stays the same. */
  originView: u32,
  /** Proposer that created the block; kept by re-proposals. Genesis: 48 zero bytes. */
  originProposer: validatorKey,
  /** Milliseconds since the Unix epoch; greater than the parent's. */
  timeMs: varint,
  transactionCount: u32,
  transactionsRoot: hash32,
  /** Hash of the canonical bytes of the body. */
  payloadHash: hash32,
  payloadBytes: u32,
  resultsRoot: hash32,
  /** Root of the world state after execution. */
  stateRoot: hash32,
  evidenceRoot: hash32,
  laneCommitmentRoot: hash32,
  rosterHash: hash32,
  committeeHash: hash32,
  nextCommitteeHash: hash32,
  /** Hash of the parent's commit certificate as embedded in the body; zero at heights 1 and 2. */
  parentCertificateHash: hash32,
})

/** 32 zero bytes, the absent hash in a header. */
export const ZERO_HASH: Uint8Array = Buffer.alloc(32)

/** Header fields filled in by execution; a proposer passes a header with these values to its ledger. */
export const UNEXECUTED = {
  transactionCount: 0,
  transactionsRoot: ZERO_HASH,
  payloadHash: ZERO_HASH,
  payloadBytes: 0,
  resultsRoot: ZERO_HASH,
  stateRoot: ZERO_HASH,
  evidenceRoot: ZERO_HASH,
  laneCommitmentRoot: ZERO_HASH,
  parentCertificateHash: ZERO_HASH,
} as const

/** Placeholder for the proposer of genesis. */
export const NO_PROPOSER: ValidatorKey = '\0'.repeat(48)
/** Genesis is height 1. */
/** First height with committee votes; genesis is signed by its own key. */
export const FIRST_VOTED_HEIGHT = 2
export const GENESIS_HEIGHT = 1
/** Maximum height: index keys hold six bytes of it, and ranges end one above. */
export const HEIGHT_MAX = 2 ** 48 - 2

/** Block hash: hash of the canonical header bytes. */
export const blockHash = (headerBytes: Uint8Array): Buffer => hash('block', headerBytes)
/** Block hash of a header record. */
export const hashOfHeader = (header: BlockHeader): Buffer => blockHash(blockHeader.encode(header))
/** Payload hash: hash of the canonical body bytes. */
export const payloadHash = (bodyBytes: Uint8Array): Buffer => hash('payload', bodyBytes)
