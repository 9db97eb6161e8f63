/** Owns the Proposal message: a block for a view with its justification (docs/design/consensus.md 3). */
import { bytes, bytesN, enumOf, hash32, type Infer, list, option, struct, u32, varint } from '../../codec/index.js'
import { BLS_SIGNATURE_BYTES, blockHeader, quorumCertificate, timeoutCertificate } from '../../model/index.js'
import { CHUNKS_MAX, COMPACT_PAYLOAD_MAX_BYTES, DIRECT_PAYLOAD_MAX_BYTES } from '../payload-limits.js'

/** View 0: the commit certificate of the parent, or none when the parent is genesis. Later views: a timeout certificate. */
export type Justification = Infer<typeof justification>
export const justification = enumOf('Justification', {
  genesis: [0, undefined],
  commit: [1, quorumCertificate],
  timeout: [2, timeoutCertificate],
})

export interface Proposal extends Infer<typeof proposal> {}
export const proposal = struct('Proposal', {
  height: varint,
  view: u32,
  header: blockHeader,
  justification,
  /** The payload if it is small enough; the header has its hash and length. */
  body: option(bytes(DIRECT_PAYLOAD_MAX_BYTES)),
  /** Compact form of a new block with a larger payload: certificate and evidence in full, records by their hashes. */
  compact: option(bytes(COMPACT_PAYLOAD_MAX_BYTES)),
  /** Digests of the payload's chunks if it is broadcast; they replace a lost announcement. */
  digests: list(hash32, CHUNKS_MAX),
  /** Signature of the proposer of the view over the block hash. */
  signature: bytesN(BLS_SIGNATURE_BYTES),
})
