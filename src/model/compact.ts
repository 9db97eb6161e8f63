/**
 * Owns the compact form of a body: transactions by the hashes of their records, everything else in full
 * (docs/design/consensus.md 7).
 */
import { hash32, list, option, struct, u32, varintBig } from '../codec/index.js'
import { quorumCertificate } from './certificate.js'
import { evidence } from './evidence.js'
import { BLOCK_ENTRIES_MAX, EVIDENCE_PER_BLOCK_MAX } from './limits.js'

/** Entry of the body; the hash covers the SIGNED record, so that signatures cannot be exchanged. */
const compactEntry_ = struct('CompactEntry', { lane: u32, dataspace: varintBig, signedHash: hash32 })

export const compactBody = struct('CompactBody', {
  parentCertificate: option(quorumCertificate),
  evidence: list(evidence, EVIDENCE_PER_BLOCK_MAX),
  entries: list(compactEntry_, BLOCK_ENTRIES_MAX),
})
