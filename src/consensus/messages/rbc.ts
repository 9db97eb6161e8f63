/** Owns the messages of reliable broadcast: announcement, chunks, signals, requests (docs/design/consensus.md 7). */
import { bytes, hash32, type Infer, list, struct, u32, varint, varintBig } from '../../codec/index.js'
import { CHUNK_MAX_BYTES, CHUNKS_MAX, REQUESTED_MAX, SHARES_MAX } from '../payload-limits.js'

/** Content of a payload per lane and dataspace; for display only. */
export interface PayloadBreakdown extends Infer<typeof payloadShare_> {}
const payloadShare_ = struct('PayloadShare', {
  lane: u32,
  dataspace: varintBig,
  transactions: u32,
  payloadBytes: varint,
  /** Static execution units. */
  teu: varint,
})

/** Fields that identify a session: height, view, payload hash. */
const ofSession = { height: varint, view: u32, payloadHash: hash32 }

/**
 * The proposer of `view` announces a payload and the digests of its chunks. Unsigned: the link identifies the sender.
 */
export interface RbcInit extends Infer<typeof rbcInit> {}
export const rbcInit = struct('RbcInit', {
  ...ofSession,
  blockHash: hash32,
  payloadBytes: varint,
  /** Digests of the chunks in order; all chunks but the last have the length payloadBytes / digests, rounded up. */
  digests: list(hash32, CHUNKS_MAX),
  shares: list(payloadShare_, SHARES_MAX),
})

export interface RbcChunk extends Infer<typeof rbcChunk> {}
export const rbcChunk = struct('RbcChunk', { ...ofSession, index: u32, bytes: bytes(CHUNK_MAX_BYTES) })

/** Ready and Deliver; unsigned, because the link identifies the sender. */
export type RbcSignal = Infer<typeof rbcSignal>
export const rbcSignal = struct('RbcSignal', ofSession)

/** Request for missing chunks. */
export interface RbcRequest extends Infer<typeof rbcRequest> {}
export const rbcRequest = struct('RbcRequest', { ...ofSession, missing: list(u32, REQUESTED_MAX) })
