/**
 * Owns the packed form of header records: a record without the fields that follow from the previous block, from its own
 * header, or from an earlier record. The form is used on disk only: hashes and messages use the whole header.
 */
import { bytes, bytesN, hash32, type Infer, list, option, struct, u32, varint } from '../codec/index.js'
import { EMPTY_MERKLE_ROOT } from '../crypto/index.js'
import {
  BITMAP_MAX_BYTES,
  BLS_SIGNATURE_BYTES,
  type BlockHeader,
  chainId,
  hashOfHeader,
  LANE_MAX,
  type QuorumCertificate,
  validatorKey,
} from '../model/index.js'
import type { BlockRecord } from './block-record.js'

/** First byte of a packed record; a whole record begins with the length of its chain name, which is not 0. */
const PACKED_MARK = 0

/** Header fields that stay the same for many blocks. */
export interface Terms extends Infer<typeof terms_> {}
const terms_ = struct('HeaderTerms', {
  chain: chainId,
  rosterHash: hash32,
  committeeHash: hash32,
  nextCommitteeHash: hash32,
})

const extentFields = { offset: varint, bytes: varint, checksum: u32 } as const
const segmentExtent_ = struct('PackedSegmentExtent', { segment: varint, ...extentFields })

const packedRecord_ = struct('PackedRecord', {
  height: varint,
  /** Number of heights back to the record with the terms; 0 for this record. */
  termsBack: varint,
  terms: option(terms_),
  originView: varint,
  originProposer: validatorKey,
  timeMs: varint,
  transactionCount: varint,
  transactionsRoot: hash32,
  payloadHash: hash32,
  payloadBytes: varint,
  resultsRoot: hash32,
  stateRoot: hash32,
  /** Absent for the root of no evidence. */
  evidenceRoot: option(hash32),
  laneCommitmentRoot: hash32,
  parentCertificateHash: hash32,
  /** View of the certificate: its other fields follow from the header. */
  view: varint,
  bitmap: bytes(BITMAP_MAX_BYTES),
  aggregate: bytesN(BLS_SIGNATURE_BYTES),
  outcome: segmentExtent_,
  outcomeBytes: varint,
  parts: list(
    struct('PackedLanePart', { lane: varint, payload: segmentExtent_, merge: struct('PackedExtent', extentFields) }),
    LANE_MAX + 1,
  ),
  ends: list(
    struct('PackedLaneEnd', { lane: varint, segment: varint, offset: varint, mergeBytes: varint }),
    LANE_MAX + 1,
  ),
})

export const termsOf = ({ chain, rosterHash, committeeHash, nextCommitteeHash }: BlockHeader): Terms => ({
  chain,
  rosterHash: Buffer.from(rosterHash),
  committeeHash: Buffer.from(committeeHash),
  nextCommitteeHash: Buffer.from(nextCommitteeHash),
})

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

export const sameTerms = (a: Terms, b: Terms): boolean =>
  a.chain === b.chain &&
  same(a.rosterHash, b.rosterHash) &&
  same(a.committeeHash, b.committeeHash) &&
  same(a.nextCommitteeHash, b.nextCommitteeHash)

/** Fields of a commit certificate except its signatures, derived from the header. */
const certificateOf = (
  header: BlockHeader,
  { view, bitmap, aggregate }: Pick<QuorumCertificate, 'view' | 'bitmap' | 'aggregate'>,
): QuorumCertificate => ({
  phase: 'commit',
  height: header.height,
  view,
  blockHash: hashOfHeader(header),
  committeeHash: header.committeeHash,
  bitmap,
  aggregate,
})

/** True if the certificate is the usual one, so that its record can be packed. */
export function isPackable({ header, certificate }: Pick<BlockRecord, 'header' | 'certificate'>): boolean {
  if (certificate === undefined) return false
  const usual = certificateOf(header, certificate)
  return (
    certificate.phase === usual.phase &&
    certificate.height === usual.height &&
    same(certificate.blockHash, usual.blockHash) &&
    same(certificate.committeeHash, usual.committeeHash)
  )
}

/**
 * Encode a packable record in packed form.
 *
 * @param termsBack number of heights back to a record with the same terms; 0 to include them
 */
export function encodePacked(record: BlockRecord, termsBack: number): Buffer {
  const { header, certificate } = record
  if (certificate === undefined)
    throw new Error(`cannot pack the record of block ${header.height}: it has no certificate`)
  const isWithoutEvidence = same(header.evidenceRoot, EMPTY_MERKLE_ROOT)
  const packed = packedRecord_.encode({
    ...header,
    termsBack,
    terms: termsBack === 0 ? termsOf(header) : undefined,
    evidenceRoot: isWithoutEvidence ? undefined : header.evidenceRoot,
    view: certificate.view,
    bitmap: certificate.bitmap,
    aggregate: certificate.aggregate,
    outcome: record.outcome,
    outcomeBytes: record.outcomeBytes,
    parts: record.parts,
    ends: record.ends,
  })
  return Buffer.concat([Buffer.of(PACKED_MARK), packed])
}

export const isPacked = (payload: Uint8Array): boolean => payload[0] === PACKED_MARK

/** Content of a packed record without its terms. */
export interface PackedRecord extends Infer<typeof packedRecord_> {}

/** Decode the packed form, or undefined. */
export function decodePacked(payload: Uint8Array): PackedRecord | undefined {
  const decoded = packedRecord_.decode(payload.subarray(1))
  if (!decoded.ok) return undefined
  const { terms, termsBack } = decoded.value
  return (terms === undefined) === termsBack > 0 ? decoded.value : undefined
}

/** Restore the record of a packed form from its parent and its terms. */
export function unpack(packed: PackedRecord, parentHash: Uint8Array, terms: Terms): BlockRecord {
  const { height, originView, originProposer, timeMs, transactionCount, transactionsRoot } = packed
  const { payloadHash, payloadBytes, resultsRoot, stateRoot, laneCommitmentRoot, parentCertificateHash } = packed
  const header: BlockHeader = {
    chain: terms.chain,
    height,
    parentHash,
    originView,
    originProposer,
    timeMs,
    transactionCount,
    transactionsRoot,
    payloadHash,
    payloadBytes,
    resultsRoot,
    stateRoot,
    evidenceRoot: packed.evidenceRoot ?? EMPTY_MERKLE_ROOT,
    laneCommitmentRoot,
    rosterHash: terms.rosterHash,
    committeeHash: terms.committeeHash,
    nextCommitteeHash: terms.nextCommitteeHash,
    parentCertificateHash,
  }
  const { outcome, outcomeBytes, parts, ends } = packed
  return { header, certificate: certificateOf(header, packed), rest: undefined, outcome, outcomeBytes, parts, ends }
}
