/** Owns evidence records: signed messages that prove a fault of one validator (docs/design/consensus.md 10). */
import { bytesN, enumOf, hash32, type Infer, struct, u32, varint } from '../codec/index.js'
import { phase, quorumCertificate, timeoutReason } from './certificate.js'
import { BLS_SIGNATURE_BYTES } from './limits.js'

/** Vote, proposal or timeout by one signer at (height, view), reduced to its signed part. */
export interface SignedVote extends Infer<typeof signedVote> {}
export const signedVote = struct('SignedVote', {
  phase,
  view: u32,
  blockHash: hash32,
  signature: bytesN(BLS_SIGNATURE_BYTES),
})

export interface SignedProposal extends Infer<typeof signedProposal> {}
export const signedProposal = struct('SignedProposal', {
  view: u32,
  blockHash: hash32,
  signature: bytesN(BLS_SIGNATURE_BYTES),
})

export interface SignedTimeout extends Infer<typeof signedTimeout> {}
export const signedTimeout = struct('SignedTimeout', {
  view: u32,
  certificateView: u32,
  reason: timeoutReason,
  signature: bytesN(BLS_SIGNATURE_BYTES),
})

/** Proof of a fault: two messages of which a correct validator signs at most one. */
export type EvidenceProof = Infer<typeof evidenceProof>
export const evidenceProof = enumOf('EvidenceProof', {
  doubleVote: [0, struct('DoubleVote', { first: signedVote, second: signedVote })],
  doubleProposal: [1, struct('DoubleProposal', { first: signedProposal, second: signedProposal })],
  doubleTimeout: [2, struct('DoubleTimeout', { first: signedTimeout, second: signedTimeout })],
  lockAmnesia: [3, struct('LockAmnesia', { commit: signedVote, timeout: signedTimeout })],
  conflictingCommits: [4, struct('ConflictingCommits', { first: quorumCertificate, second: quorumCertificate })],
})

/** Evidence of a fault of the member at `index` of the committee of `height`. */
export interface Evidence extends Infer<typeof evidence> {}
export const evidence = struct('Evidence', { height: varint, index: u32, proof: evidenceProof })
