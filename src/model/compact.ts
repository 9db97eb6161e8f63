/** Owns the compact form of a body: what it has beside transactions in full, transactions by the hashes of their records (docs/design/consensus.md 7). */
import { hash32, list, option, type Schema, struct, u32, varintBig } from '../codec/index.js'
import { type QuorumCertificate, quorumCertificate } from './certificate.js'
import { type Evidence, evidence } from './evidence.js'
import { BLOCK_ENTRIES_MAX, EVIDENCE_PER_BLOCK_MAX } from './limits.js'

/** An entry of the body; the hash is that of the SIGNED record, so that nobody can swap signatures. */
export interface CompactEntry {
  readonly lane: number
  readonly dataspace: bigint
  readonly signedHash: Uint8Array
}
const compactEntry_ = struct('CompactEntry', { lane: u32, dataspace: varintBig, signedHash: hash32 })

export interface CompactBody {
  readonly parentCertificate: QuorumCertificate | undefined
  readonly evidence: readonly Evidence[]
  readonly entries: readonly CompactEntry[]
}
const compactBody_ = struct('CompactBody', {
  parentCertificate: option(quorumCertificate),
  evidence: list(evidence, EVIDENCE_PER_BLOCK_MAX),
  entries: list(compactEntry_, BLOCK_ENTRIES_MAX),
})
export const compactBody: Schema<CompactBody> = compactBody_
