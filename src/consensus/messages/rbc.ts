/** Owns the messages of reliable broadcast: announcement, chunks, signals, requests (docs/design/consensus.md 7). */
import { bytes, hash32, type Infer, list, type Schema, struct, u32, varint, varintBig } from '../../codec/index.js'
import { CHUNK_MAX_BYTES, CHUNKS_MAX, REQUESTED_MAX, SHARES_MAX } from '../rbc/limits.js'

/** What a lane and dataspace have in a payload; shown, never computed with. */
export interface PayloadBreakdown extends Infer<typeof payloadShare_> {}
const payloadShare_ = struct('PayloadShare', {
  lane: u32,
  dataspace: varintBig,
  transactions: u32,
  payloadBytes: varint,
  /** Static execution units. */
  teu: varint,
})

/** A session is named by (height, view, payload hash). */
interface OfSession {
  readonly height: number
  readonly view: number
  readonly payloadHash: Uint8Array
}
const ofSession = { height: varint, view: u32, payloadHash: hash32 }

/** The proposer of `view` announces a payload and the digests of its chunks. Unsigned: its link names the sender. */
export interface RbcInit extends OfSession {
  readonly blockHash: Uint8Array
  readonly payloadBytes: number
  /** One per chunk; all chunks but the last have the length payloadBytes / digests, rounded up. */
  readonly digests: readonly Uint8Array[]
  readonly shares: readonly PayloadBreakdown[]
}
const rbcInit_ = struct('RbcInit', {
  ...ofSession,
  blockHash: hash32,
  payloadBytes: varint,
  digests: list(hash32, CHUNKS_MAX),
  shares: list(payloadShare_, SHARES_MAX),
})
export const rbcInit: Schema<RbcInit> = rbcInit_

export interface RbcChunk extends OfSession {
  readonly index: number
  readonly bytes: Uint8Array
}
const rbcChunk_ = struct('RbcChunk', { ...ofSession, index: u32, bytes: bytes(CHUNK_MAX_BYTES) })
export const rbcChunk: Schema<RbcChunk> = rbcChunk_

/** Ready and Deliver; unsigned, the link names the sender. */
export type RbcSignal = Infer<typeof rbcSignal>
export const rbcSignal = struct('RbcSignal', ofSession)

/** Asks for chunks that did not come. */
export interface RbcRequest extends OfSession {
  readonly missing: readonly number[]
}
const rbcRequest_ = struct('RbcRequest', { ...ofSession, missing: list(u32, REQUESTED_MAX) })
export const rbcRequest: Schema<RbcRequest> = rbcRequest_
