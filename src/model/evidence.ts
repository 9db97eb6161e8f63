/** Owns evidence records: signed messages that prove a fault of one validator (docs/design/consensus.md 10). */
import { bytesN, enumOf, hash32, type Schema, struct, u32, varint } from '../codec/index.js'
import {
  type Phase,
  phase,
  type QuorumCertificate,
  quorumCertificate,
  type TimeoutReason,
  timeoutReason,
} from './certificate.js'
import { BLS_SIGNATURE_BYTES } from './limits.js'

/** A vote, proposal or timeout by one signer at (height, view), reduced to what was signed. */
export interface SignedVote {
  readonly phase: Phase
  readonly view: number
  readonly blockHash: Uint8Array
  readonly signature: Uint8Array
}
const signedVote_ = struct('SignedVote', {
  phase,
  view: u32,
  blockHash: hash32,
  signature: bytesN(BLS_SIGNATURE_BYTES),
})
export const signedVote: Schema<SignedVote> = signedVote_

export interface SignedProposal {
  readonly view: number
  readonly blockHash: Uint8Array
  readonly signature: Uint8Array
}
const signedProposal_ = struct('SignedProposal', {
  view: u32,
  blockHash: hash32,
  signature: bytesN(BLS_SIGNATURE_BYTES),
})
export const signedProposal: Schema<SignedProposal> = signedProposal_

export interface SignedTimeout {
  readonly view: number
  readonly certificateView: number
  readonly reason: TimeoutReason
  readonly signature: Uint8Array
}
const signedTimeout_ = struct('SignedTimeout', {
  view: u32,
  certificateView: u32,
  reason: timeoutReason,
  signature: bytesN(BLS_SIGNATURE_BYTES),
})
export const signedTimeout: Schema<SignedTimeout> = signedTimeout_

/** What proves the fault: two messages that no correct validator signs both. */
export type EvidenceProof =
  | { readonly kind: 'doubleVote'; readonly value: { readonly first: SignedVote; readonly second: SignedVote } }
  | {
      readonly kind: 'doubleProposal'
      readonly value: { readonly first: SignedProposal; readonly second: SignedProposal }
    }
  | {
      readonly kind: 'doubleTimeout'
      readonly value: { readonly first: SignedTimeout; readonly second: SignedTimeout }
    }
  | { readonly kind: 'lockAmnesia'; readonly value: { readonly commit: SignedVote; readonly timeout: SignedTimeout } }
  | {
      readonly kind: 'conflictingCommits'
      readonly value: { readonly first: QuorumCertificate; readonly second: QuorumCertificate }
    }
const evidenceProof_ = enumOf('EvidenceProof', {
  doubleVote: [0, struct('DoubleVote', { first: signedVote, second: signedVote })],
  doubleProposal: [1, struct('DoubleProposal', { first: signedProposal, second: signedProposal })],
  doubleTimeout: [2, struct('DoubleTimeout', { first: signedTimeout, second: signedTimeout })],
  lockAmnesia: [3, struct('LockAmnesia', { commit: signedVote, timeout: signedTimeout })],
  conflictingCommits: [4, struct('ConflictingCommits', { first: quorumCertificate, second: quorumCertificate })],
})
export const evidenceProof: Schema<EvidenceProof> = evidenceProof_

/** A fault of the member at `index` of the committee of `height`. */
export interface Evidence {
  readonly height: number
  readonly index: number
  readonly proof: EvidenceProof
}
const evidence_ = struct('Evidence', { height: varint, index: u32, proof: evidenceProof })
export const evidence: Schema<Evidence> = evidence_
