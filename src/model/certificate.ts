/** Owns certificates: quorum certificates of both phases and timeout certificates (docs/design/consensus.md 3). */
import { bytes, bytesN, hash32, type Infer, list, option, struct, u32, unitEnum, varint } from '../codec/index.js'
import { hash } from '../crypto/index.js'
import { blockHeader } from './header.js'
import { BITMAP_MAX_BYTES, BLS_SIGNATURE_BYTES, ROSTER_MAX } from './limits.js'

/** Voting phase. A prepare certificate is the quorum certificate, a commit certificate the durable proof of a block. */
export type Phase = Infer<typeof phase>
export const phase = unitEnum('Phase', { prepare: 0, commit: 1 })

/** Aggregate of equal votes of a quorum of one committee. */
export interface QuorumCertificate extends Infer<typeof quorumCertificate> {}
export const quorumCertificate = struct('QuorumCertificate', {
  phase,
  height: varint,
  view: u32,
  blockHash: hash32,
  committeeHash: hash32,
  /** Bit i (least significant first) = member at position i of the committee before demotion. */
  bitmap: bytes(BITMAP_MAX_BYTES),
  /** BLS aggregate signature, 96 bytes. */
  aggregate: bytesN(BLS_SIGNATURE_BYTES),
})

/** Certificate with the header that it certifies; the two are always sent together. */
export interface CertifiedHeader extends Infer<typeof certifiedHeader> {}
export const certifiedHeader = struct('CertifiedHeader', { certificate: quorumCertificate, header: blockHeader })

/** Reason codes in signed bytes. */
export const TIMEOUT_REASON_CODES: Readonly<Record<TimeoutReason, number>> = {
  noProposal: 0,
  missingPayload: 1,
  validationReject: 2,
  stateMismatch: 3,
  prepareStall: 4,
  commitStall: 5,
  unreachableProposer: 6,
}
/** Reason of a view timeout (docs/design/consensus.md 3). Append only. */
export type TimeoutReason = Infer<typeof timeoutReason>
export const timeoutReason = unitEnum('TimeoutReason', {
  noProposal: 0,
  missingPayload: 1,
  validationReject: 2,
  stateMismatch: 3,
  prepareStall: 4,
  commitStall: 5,
  unreachableProposer: 6,
})

/** Signers with the same certificate view and the same reason. */
export interface TimeoutGroup extends Infer<typeof timeoutGroup> {}
export const timeoutGroup = struct('TimeoutGroup', {
  /** View of their highest prepare certificate + 1; 0 for none. */
  certificateView: u32,
  reason: timeoutReason,
  bitmap: bytes(BITMAP_MAX_BYTES),
})

/** View change proof of the specification: a quorum timed out `view`; it includes their highest certificates. */
export interface TimeoutCertificate extends Infer<typeof timeoutCertificate> {}
export const timeoutCertificate = struct('TimeoutCertificate', {
  height: varint,
  view: u32,
  highPrepare: option(certifiedHeader),
  // At most one group per (view, reason) and signer.
  groups: list(timeoutGroup, ROSTER_MAX),
  aggregate: bytesN(BLS_SIGNATURE_BYTES),
})

/** Hash of a quorum certificate for the next header. */
export const certificateHash = (certificate: QuorumCertificate): Buffer =>
  hash('certificate', quorumCertificate.encode(certificate))
