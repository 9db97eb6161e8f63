/** Owns certificates: quorum certificates of both phases and timeout certificates (docs/design/consensus.md 3). */
import { bytes, bytesN, hash32, list, option, type Schema, struct, u32, unitEnum, varint } from '../codec/index.js'
import { hash } from '../crypto/index.js'
import { type BlockHeader, blockHeader } from './header.js'
import { BITMAP_MAX_BYTES, BLS_SIGNATURE_BYTES, ROSTER_MAX } from './limits.js'

/** Voting phase. A prepare certificate is the quorum certificate, a commit certificate the durable proof of a block. */
export type Phase = 'prepare' | 'commit'
const phase_ = unitEnum('Phase', { prepare: 0, commit: 1 })
export const phase: Schema<Phase> = phase_

/** Aggregate of equal votes of a quorum of one committee. */
export interface QuorumCertificate {
  readonly phase: Phase
  readonly height: number
  readonly view: number
  readonly blockHash: Uint8Array
  readonly committeeHash: Uint8Array
  /** Bit i (least significant first) = member at position i of the committee before demotion. */
  readonly bitmap: Uint8Array
  /** BLS aggregate signature, 96 bytes. */
  readonly aggregate: Uint8Array
}
const quorumCertificate_ = struct('QuorumCertificate', {
  phase,
  height: varint,
  view: u32,
  blockHash: hash32,
  committeeHash: hash32,
  bitmap: bytes(BITMAP_MAX_BYTES),
  aggregate: bytesN(BLS_SIGNATURE_BYTES),
})
export const quorumCertificate: Schema<QuorumCertificate> = quorumCertificate_

/** A certificate with the header that it certifies: one never travels without the other. */
export interface CertifiedHeader {
  readonly certificate: QuorumCertificate
  readonly header: BlockHeader
}
const certifiedHeader_ = struct('CertifiedHeader', { certificate: quorumCertificate, header: blockHeader })
export const certifiedHeader: Schema<CertifiedHeader> = certifiedHeader_

/** Why a view was given up (docs/design/consensus.md 3). Append only. */
export type TimeoutReason =
  | 'noProposal'
  | 'missingPayload'
  | 'validationReject'
  | 'stateMismatch'
  | 'prepareStall'
  | 'commitStall'
  | 'unreachableProposer'
/** Reason codes as they stand in signed bytes. */
export const TIMEOUT_REASON_CODES: Readonly<Record<TimeoutReason, number>> = {
  noProposal: 0,
  missingPayload: 1,
  validationReject: 2,
  stateMismatch: 3,
  prepareStall: 4,
  commitStall: 5,
  unreachableProposer: 6,
}
const timeoutReason_ = unitEnum('TimeoutReason', {
  noProposal: 0,
  missingPayload: 1,
  validationReject: 2,
  stateMismatch: 3,
  prepareStall: 4,
  commitStall: 5,
  unreachableProposer: 6,
})
export const timeoutReason: Schema<TimeoutReason> = timeoutReason_

/** Signers that named the same certificate view and the same reason. */
export interface TimeoutGroup {
  /** View of the named prepare certificate + 1; 0 for none. */
  readonly certificateView: number
  readonly reason: TimeoutReason
  readonly bitmap: Uint8Array
}
const timeoutGroup_ = struct('TimeoutGroup', {
  certificateView: u32,
  reason: timeoutReason,
  bitmap: bytes(BITMAP_MAX_BYTES),
})
export const timeoutGroup: Schema<TimeoutGroup> = timeoutGroup_

/** The specification's view change proof: a quorum gave up `view`; what it knew of certificates is in it. */
export interface TimeoutCertificate {
  readonly height: number
  readonly view: number
  readonly highPrepare: CertifiedHeader | undefined
  readonly groups: readonly TimeoutGroup[]
  readonly aggregate: Uint8Array
}
const timeoutCertificate_ = struct('TimeoutCertificate', {
  height: varint,
  view: u32,
  highPrepare: option(certifiedHeader),
  // At most one group per (view, reason) and signer.
  groups: list(timeoutGroup, ROSTER_MAX),
  aggregate: bytesN(BLS_SIGNATURE_BYTES),
})
export const timeoutCertificate: Schema<TimeoutCertificate> = timeoutCertificate_

/** Hash of a quorum certificate as it stands in the next header. */
export const certificateHash = (certificate: QuorumCertificate): Buffer =>
  hash('certificate', quorumCertificate.encode(certificate))
