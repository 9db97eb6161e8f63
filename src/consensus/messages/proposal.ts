/** Owns the Proposal message: a block offered for a view, with what justifies it (docs/design/consensus.md 3). */
import { bytes, bytesN, enumOf, hash32, list, option, type Schema, struct, u32, varint } from '../../codec/index.js'
import {
  BLS_SIGNATURE_BYTES,
  type BlockHeader,
  blockHeader,
  type QuorumCertificate,
  quorumCertificate,
  type TimeoutCertificate,
  timeoutCertificate,
} from '../../model/index.js'
import { CHUNKS_MAX, COMPACT_PAYLOAD_MAX_BYTES, DIRECT_PAYLOAD_MAX_BYTES } from '../rbc/limits.js'

/** View 0: the commit certificate of the parent, or none when the parent is genesis. Later views: a timeout certificate. */
export type Justification =
  | { readonly kind: 'genesis'; readonly value: undefined }
  | { readonly kind: 'commit'; readonly value: QuorumCertificate }
  | { readonly kind: 'timeout'; readonly value: TimeoutCertificate }
const justification_ = enumOf('Justification', {
  genesis: [0, undefined],
  commit: [1, quorumCertificate],
  timeout: [2, timeoutCertificate],
})
export const justification: Schema<Justification> = justification_

export interface Proposal {
  readonly height: number
  readonly view: number
  readonly header: BlockHeader
  readonly justification: Justification
  /** The payload itself when it is small enough; its hash and length stand in the header. */
  readonly body: Uint8Array | undefined
  /** Else, for a fresh block, what members rebuild it from: certificate and evidence in full, records by their hashes. */
  readonly compact: Uint8Array | undefined
  /** Digests of the payload's chunks when it is broadcast, so that a lost announcement costs nothing. */
  readonly digests: readonly Uint8Array[]
  /** By the proposer of the view over the block hash. */
  readonly signature: Uint8Array
}
const proposal_ = struct('Proposal', {
  height: varint,
  view: u32,
  header: blockHeader,
  justification,
  body: option(bytes(DIRECT_PAYLOAD_MAX_BYTES)),
  compact: option(bytes(COMPACT_PAYLOAD_MAX_BYTES)),
  digests: list(hash32, CHUNKS_MAX),
  signature: bytesN(BLS_SIGNATURE_BYTES),
})
export const proposal: Schema<Proposal> = proposal_
