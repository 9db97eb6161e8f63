/** Owns one session of reliable broadcast: its chunks, checked one by one, and what members say of it. */
import { sameBytes } from '../../base/bytes.js'
import { hash } from '../../crypto/index.js'
import { BODY_MAX_BYTES, keyBytes, keyString, payloadHash, type ValidatorKey } from '../../model/index.js'
import type { PayloadBreakdown, RbcInit } from '../messages/index.js'
import { CHUNK_MAX_BYTES, type PayloadLimits } from '../payload-limits.js'
import type { Committee } from '../roster.js'

/** One payload of one view on its way. */
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
  /** Who announced it. */
  readonly proposer: ValidatorKey
  /** Of its height: signals may come after the commit. */
  readonly committee: Committee
  readonly openedAtMs: number
  /** When the last chunk came, or the session was opened. */
  progressAtMs: number
  /** Chunks by index; emptied once the payload is whole. */
  chunks: (Uint8Array | undefined)[]
  receivedChunks: number
  receivedBytes: number
  /** The whole payload, its hash checked. */
  body: Uint8Array | undefined
  /** Positions of the members that said so. */
  readonly ready: Set<number>
  readonly delivered: Set<number>
  readySent: boolean
  /** We hold the payload and 2f + 1 members are ready. */
  isDelivered: boolean
  /** All chunks came and are not the payload: its announcement lied. */
  isInvalid: boolean
  /** Restored from the staged payload after a restart. */
  readonly isRecovered: boolean
  /** Its height is committed; only its history is kept. */
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

/** Length of all chunks but the last of a payload that has so many. */
export const chunkBytesOf = (payloadBytes: number, chunks: number): number =>
  Math.max(1, Math.ceil(payloadBytes / chunks))

/** Number of chunks for a payload: by the configured length, or longer ones where their number is bounded. */
export const chunksFor = (payloadBytes: number, limits: PayloadLimits): number =>
  Math.min(chunkCount(payloadBytes, limits.chunkBytes), limits.chunksPerSession)

/** Digests of all chunks of a payload. */
export function digestsOf(body: Uint8Array, limits: PayloadLimits): Buffer[] {
  const chunkBytes = chunkBytesOf(body.length, chunksFor(body.length, limits))
  return Array.from({ length: chunkCount(body.length, chunkBytes) }, (_, index) =>
    chunkDigest(chunkOf(body, chunkBytes, index)),
  )
}

/** Why these cannot be the digests of a payload of this length, on any node; undefined when they can. */
export function digestsFault(payloadBytes: number, digests: readonly Uint8Array[]): string | undefined {
  if (payloadBytes > BODY_MAX_BYTES) return `a payload of ${payloadBytes} bytes, at most ${BODY_MAX_BYTES} are allowed`
  const chunkBytes = chunkBytesOf(payloadBytes, Math.max(1, digests.length))
  if (chunkBytes > CHUNK_MAX_BYTES) return `chunks of ${chunkBytes} bytes, at most ${CHUNK_MAX_BYTES} are allowed`
  return digests.length === chunkCount(payloadBytes, chunkBytes) ? undefined : 'another number of chunks'
}

/** Why an announcement cannot be one, or is beyond what this node keeps; undefined when it can. */
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

/** The announcement of a session, for whoever missed it. */
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

/** What became of a chunk. */
export type ChunkVerdict = 'kept' | 'known' | 'mismatch' | 'complete' | 'invalid'

/** Length of a chunk of a session. */
const chunkLength = ({ digests, chunkBytes, payloadBytes }: RbcSession, index: number): number =>
  index < digests.length - 1 ? chunkBytes : payloadBytes - chunkBytes * (digests.length - 1)

/**
 * Takes a chunk when it is the one that its digest names and as long as all are: longer ones would take more memory than
 * the payload that was announced. The last one completes the payload, or shows that it is none.
 */
export function takeChunk(session: RbcSession, index: number, chunk: Uint8Array, nowMs: number): ChunkVerdict {
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

/** The payload is here, by whatever way it came; its hash was checked. */
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

/** True when the payload is here, or was until its height was committed. */
export const isComplete = (session: RbcSession): boolean =>
  session.body !== undefined || (session.hasEnded && session.receivedChunks === session.digests.length)

/** Indexes of the chunks that are still missing. */
export function missingChunks(session: RbcSession): number[] {
  if (session.body !== undefined) return []
  return session.digests.flatMap((_, index) => (session.chunks[index] === undefined ? [index] : []))
}

/** Frees what a session holds; its history stays. */
export function endSession(session: RbcSession): void {
  session.hasEnded = true
  session.chunks = []
  session.receivedBytes = 0
  session.body = undefined
}
