/**
 * Owns the block body, whose canonical bytes are called "the payload", and the whole block (docs/design/consensus.md
 * 3).
 */
import { bytes, type Infer, lazy, list, option, struct, u32, varintBig, Writer } from '../codec/index.js'
import { type QuorumCertificate, quorumCertificate } from './certificate.js'
import { type Evidence, evidence as evidence_ } from './evidence.js'
import { blockHeader } from './header.js'
import { BLOCK_ENTRIES_MAX, BODY_MAX_BYTES, EVIDENCE_PER_BLOCK_MAX } from './limits.js'
import { signedTransaction } from './transaction.js'

/** Transaction in a block with its route, which every voter recomputes. */
export interface BlockEntry extends Infer<typeof blockEntry> {}
export const blockEntry = struct('BlockEntry', {
  lane: u32,
  dataspace: varintBig,
  transaction: lazy(signedTransaction),
})

/** The payload of a block above genesis. */
export interface BlockBody extends Infer<typeof blockBody> {}
export const blockBody = struct('BlockBody', {
  /** Commit certificate of the parent; absent at height 2, whose parent is genesis. */
  parentCertificate: option(quorumCertificate),
  evidence: list(evidence_, EVIDENCE_PER_BLOCK_MAX),
  entries: list(blockEntry, BLOCK_ENTRIES_MAX),
})

/** Same bytes with undecoded transaction records. */
export const unreadBody = struct('UnreadBody', {
  parentCertificate: option(quorumCertificate),
  evidence: list(evidence_, EVIDENCE_PER_BLOCK_MAX),
  entries: list(
    struct('UnreadEntry', { lane: u32, dataspace: varintBig, record: bytes(BODY_MAX_BYTES) }),
    BLOCK_ENTRIES_MAX,
  ),
})

/** Committed block as stored, synced and served; only genesis has no certificate. */
export interface CommittedBlock extends Infer<typeof committedBlock> {}
export const committedBlock = struct('CommittedBlock', {
  header: blockHeader,
  certificate: option(quorumCertificate),
  /** Canonical body bytes; at height 1 the signed genesis record. */
  body: bytes(BODY_MAX_BYTES),
})

/** Block entry of a proposer, with its record in canonical bytes. */
export interface RawEntry {
  readonly lane: number
  readonly dataspace: bigint
  readonly bytes: Uint8Array
}

/** Canonical bytes of a body from encoded records, without decoding or encoding them again. */
export function composeBody(
  parentCertificate: QuorumCertificate | undefined,
  evidence: readonly Evidence[],
  entries: readonly RawEntry[],
): Buffer {
  const head = blockBody.encode({ parentCertificate, evidence, entries: [] })
  const writer = new Writer()
  // An empty list ends the encoding with its count, which the real one replaces.
  writer.raw(head.subarray(0, head.length - 1))
  writer.varint(entries.length)
  for (const entry of entries) {
    u32.write(writer, entry.lane)
    varintBig.write(writer, entry.dataspace)
    writer.varint(entry.bytes.length)
    writer.raw(entry.bytes)
  }
  return writer.toBytes()
}
