/** Owns one session of reliable broadcast: its chunks, checked one by one, and the signals of members. */
import { sameBytes } from '../../base/bytes.js'
import { hash } from '../../crypto/index.js'
import { BODY_MAX_BYTES, keyBytes, keyString, payloadHash, type ValidatorKey } from '../../model/index.js'
import type { PayloadBreakdown, RbcInit } from '../messages/index.js'
import { CHUNK_MAX_BYTES, type PayloadLimits } from '../payload-limits.js'
import type { Committee } from '../roster.js'

/** Broadcast of one payload in one view. */
export interface RbcSession {
  readonly height: number
  readonly view: number
  /** Latin1 hashes, as all keys of maps. */
  readonly payloadHash: string
  readonly blockHash: string
  readonly payloadBytes: number
  readonly chunkBytes: number
  readonly digests: readonly Uint8Array[]
  readonly shares: readonly PayloadBreakdown[]
  /** Announcing member. */
  readonly proposer: ValidatorKey
  /** Committee of its height, because signals may arrive after the commit. */
  readonly committee: Committee
  readonly openedAtMs: number
  /** Time of the last chunk, or of opening. */
  progressAtMs: number
  /** Chunks by index; emptied once the payload is whole. */
  chunks: (Uint8Array | undefined)[]
  receivedChunks: number
  receivedBytes: number
  /** The complete payload, hash checked. */
  body: Uint8Array | undefined
  /** Positions of the members that sent the signal. */
  readonly ready: Set<number>
  readonly delivered: Set<number>
  readySent: boolean
  /** True once this node has the payload and 2f + 1 members are ready. */
  isDelivered: boolean
  /** True if all chunks arrived and do not form the payload, so that the announcement was false. */
  isInvalid: boolean
  /** Restored from the staged payload after a restart. */
  readonly isRecovered: boolean
  /** True once its height is committed; only its history is stored. */
  hasEnded: boolean
}

/** Name of a session. */
export const sessionKey = (height: number, view: number, payload: string): string => `${height}:${view}:${payload}`

/** Digest of a chunk. */
export const chunkDigest = (chunk: Uint8Array): Buffer => hash('rbc-chunk', chunk)

/** Number of chunks of a payload; an empty one has one empty chunk. */
export const chunkCount = (payloadBytes: number, chunkBytes: number): number =>
  Math.max(1, Math.ceil(payloadBytes / chunkBytes))

/** One chunk of a whole payload. */
export const chunkOf = (body: Uint8Array, chunkBytes: number, index: number): Uint8Array =>
  body.subarray(index * chunkBytes, (index + 1) * chunkBytes)

/** Length of every chunk but the last, given the number of chunks. */
export const chunkBytesOf = (payloadBytes: number, chunks: number): number =>
  Math.max(1, Math.ceil(payloadBytes / chunks))

/**
 * Number of chunks for a payload: by the configured length, or by a greater length if their number would exceed its
 * bound.
 */
export const chunksFor = (payloadBytes: number, limits: PayloadLimits): number =>
  Math.min(chunkCount(payloadBytes, limits.chunkBytes), limits.chunksPerSession)

/** Digests of all chunks of a payload. */
export function digestsOf(body: Uint8Array, limits: PayloadLimits): Buffer[] {
  const chunkBytes = chunkBytesOf(body.length, chunksFor(body.length, limits))
  return Array.from({ length: chunkCount(body.length, chunkBytes) }, (_, index) =>
    chunkDigest(chunkOf(body, chunkBytes, index)),
  )
}

/** Reason why digests cannot belong to a payload of this length, on any node; undefined if they can. */
export function digestsFault(payloadBytes: number, digests: readonly Uint8Array[]): string | undefined {
  if (payloadBytes > BODY_MAX_BYTES) return `a payload of ${payloadBytes} bytes, at most ${BODY_MAX_BYTES} are allowed`
  const chunkBytes = chunkBytesOf(payloadBytes, Math.max(1, digests.length))
  if (chunkBytes > CHUNK_MAX_BYTES) return `chunks of ${chunkBytes} bytes, at most ${CHUNK_MAX_BYTES} are allowed`
  return digests.length === chunkCount(payloadBytes, chunkBytes) ? undefined : 'another number of chunks'
}

/** Reason why an announcement is invalid or exceeds the bounds of this node; undefined if it is accepted. */
export function initFault(init: RbcInit, limits: PayloadLimits): string | undefined {
  if (init.digests.length > limits.chunksPerSession) return 'too many chunks'
  const fault = digestsFault(init.payloadBytes, init.digests)
  if (fault !== undefined) return fault
  return init.payloadBytes > limits.storeHardBytes ? 'a payload larger than the store' : undefined
}

/** A session as announced, without any chunk. */
export function newSession(
  init: RbcInit,
  by: { readonly proposer: ValidatorKey; readonly committee: Committee },
  nowMs: number,
  isRecovered = false,
): RbcSession {
  return {
    height: init.height,
    view: init.view,
    payloadHash: keyString(init.payloadHash),
    blockHash: keyString(init.blockHash),
    payloadBytes: init.payloadBytes,
    chunkBytes: chunkBytesOf(init.payloadBytes, init.digests.length),
    digests: init.digests,
    shares: init.shares,
    proposer: by.proposer,
    committee: by.committee,
    openedAtMs: nowMs,
    progressAtMs: nowMs,
    chunks: [],
    receivedChunks: 0,
    receivedBytes: 0,
    body: undefined,
    ready: new Set(),
    delivered: new Set(),
    readySent: false,
    isDelivered: false,
    isInvalid: false,
    isRecovered,
    hasEnded: false,
  }
}

/** Announcement of a session, for members that missed it. */
export const initOf = (session: RbcSession): RbcInit => ({
  height: session.height,
  view: session.view,
  payloadHash: keyBytes(session.payloadHash),
  blockHash: keyBytes(session.blockHash),
  payloadBytes: session.payloadBytes,
  digests: session.digests,
  shares: session.shares,
})

/** Bytes that a session holds. */
export const heldBytes = (session: RbcSession): number => session.body?.length ?? session.receivedBytes

/** Result of adding a chunk. */
export type ChunkResult = 'kept' | 'known' | 'mismatch' | 'complete' | 'invalid'

/** Length of a chunk of a session. */
const chunkLength = ({ digests, chunkBytes, payloadBytes }: RbcSession, index: number): number =>
  index < digests.length - 1 ? chunkBytes : payloadBytes - chunkBytes * (digests.length - 1)

/**
 * Add a chunk if it matches its digest and has the common length; longer chunks would exceed the memory of the announced
 * payload. The last chunk completes the payload, or proves the announcement false.
 */
export function takeChunk(session: RbcSession, index: number, chunk: Uint8Array, nowMs: number): ChunkResult {
  if (session.body !== undefined || session.isInvalid || session.chunks[index] !== undefined) return 'known'
  const digest = session.digests[index]
  if (digest === undefined || chunk.length !== chunkLength(session, index)) return 'mismatch'
  if (!sameBytes(chunkDigest(chunk), digest)) return 'mismatch'
  session.chunks[index] = chunk
  session.receivedChunks += 1
  session.receivedBytes += chunk.length
  session.progressAtMs = nowMs
  if (session.receivedChunks < session.digests.length) return 'kept'
  const body = Buffer.concat(session.chunks as Uint8Array[])
  if (body.length !== session.payloadBytes || keyString(payloadHash(body)) !== session.payloadHash) {
    invalidate(session)
    return 'invalid'
  }
  completeWith(session, body, nowMs)
  return 'complete'
}

/** Store the payload, received in any way; its hash was checked. */
export function completeWith(session: RbcSession, body: Uint8Array, nowMs: number): void {
  session.body = body
  session.chunks = []
  session.receivedChunks = session.digests.length
  session.receivedBytes = body.length
  session.progressAtMs = nowMs
}

function invalidate(session: RbcSession): void {
  session.isInvalid = true
  session.chunks = []
  session.receivedBytes = 0
}

/** True if the payload is present, or was until its height was committed. */
export const isComplete = (session: RbcSession): boolean =>
  session.body !== undefined || (session.hasEnded && session.receivedChunks === session.digests.length)

/** Indexes of the chunks that are still missing. */
export function missingChunks(session: RbcSession): number[] {
  if (session.body !== undefined) return []
  return session.digests.flatMap((_, index) => (session.chunks[index] === undefined ? [index] : []))
}

/** Free the memory of a session; its history is kept. */
export function endSession(session: RbcSession): void {
  session.hasEnded = true
  session.chunks = []
  session.receivedBytes = 0
  session.body = undefined
}
