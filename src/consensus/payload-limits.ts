/** Owns the bounds of payloads in transit: direct, compact, broadcast, stored; one table with defaults, units and reasons. */
import { BODY_MAX_BYTES } from '../model/index.js'

/** Bounds of one node. They limit what it sends and stores, and do not affect the validity of a block. */
export interface PayloadLimits {
  readonly directBytes: number
  readonly compactBytes: number
  readonly recordsPerRequest: number
  readonly chunkBytes: number
  readonly chunksPerSession: number
  readonly chunksPerRequest: number
  readonly fanout: number
  readonly sessions: number
  readonly ttlMs: number
  readonly stashMessages: number
  readonly storeSoftBytes: number
  readonly storeHardBytes: number
}

/** One row of the table: the field, its key in the node configuration, default, range and reason. */
export interface PayloadLimitRow {
  readonly field: keyof PayloadLimits
  readonly key: string
  readonly fallback: number
  readonly min: number
  readonly max: number
  /** Lines of at most 100 characters. */
  readonly doc: readonly string[]
}

const KIB = 1024
const MIB = 1024 * 1024

/** Longest payload that a proposal can carry, in bytes; the configured limit may be lower. */
export const DIRECT_PAYLOAD_MAX_BYTES = 256 * KIB
/**
 * Bytes of payload that a proposer sends inside the proposals of one block, over all validators; a larger payload is sent
 * by hashes. An uplink of 100 Mbit/s sends them in 130 ms. The longest payload of a proposal fits for up to seven
 * validators.
 */
export const DIRECT_FANOUT_BYTES = 6 * DIRECT_PAYLOAD_MAX_BYTES
/** Longest compact form of a payload, in bytes: 16,384 entries of a hash, a lane and a dataspace fit. */
export const COMPACT_PAYLOAD_MAX_BYTES = MIB
/** Longest chunk that decodes, in bytes. */
export const CHUNK_MAX_BYTES = MIB
/** Maximum chunks of one session that decode. */
export const CHUNKS_MAX = 4_096
/** Maximum records, or chunks, in one request. */
export const REQUESTED_MAX = 4_096
/** Bytes of records in one response, so that it does not block a link; the rest is requested again. */
export const RECORD_RESPONSE_BYTES = 2 * MIB
/** Bytes of chunks and announcements of one peer stored before their session is announced: a block of usual size. */
export const STASH_BYTES_PER_PEER_MAX = 8 * MIB
/** Memory of one announced digest, in bytes: 32 of the digest and about 110 of its view after decoding. */
export const DIGEST_HELD_BYTES = 160
/** Lanes and dataspaces in an announcement; further ones are added to the last entry. */
export const SHARES_MAX = 64

export const PAYLOAD_LIMIT_ROWS: readonly PayloadLimitRow[] = [
  {
    field: 'directBytes',
    key: 'direct_payload_max_bytes',
    fallback: DIRECT_PAYLOAD_MAX_BYTES,
    min: 0,
    max: DIRECT_PAYLOAD_MAX_BYTES,
    doc: [
      'Bytes of payload that travel inside a proposal; a longer one is proposed by the hashes of',
      'its records. Above seven validators a proposal holds less: together they get 1.5 MiB.',
    ],
  },
  {
    field: 'compactBytes',
    key: 'compact_payload_max_bytes',
    fallback: 2 * MIB,
    min: 0,
    max: BODY_MAX_BYTES,
    doc: ['Bytes of payload that are proposed by hashes; a longer one is broadcast in chunks at once.'],
  },
  {
    field: 'recordsPerRequest',
    key: 'records_per_request',
    fallback: 1_024,
    min: 1,
    max: REQUESTED_MAX,
    doc: [
      'Missing records of a compact proposal that are requested one by one; above that the whole payload is requested.',
    ],
  },
  {
    field: 'chunkBytes',
    key: 'chunk_bytes',
    fallback: 64 * KIB,
    min: KIB,
    max: CHUNK_MAX_BYTES,
    doc: ['Bytes of one chunk: short enough that votes do not wait behind it.'],
  },
  {
    field: 'chunksPerSession',
    key: 'chunks_per_session',
    fallback: 1_024,
    min: 1,
    max: CHUNKS_MAX,
    doc: ['Chunks of one session: the largest block in chunks of 64 KiB.'],
  },
  {
    field: 'chunksPerRequest',
    key: 'chunks_per_request',
    fallback: 64,
    min: 1,
    max: REQUESTED_MAX,
    doc: ['Missing chunks in one request, and chunks in its response.'],
  },
  {
    field: 'fanout',
    key: 'fanout',
    fallback: 0,
    min: 0,
    max: 128,
    doc: ['Members that receive each chunk from the proposer and forward it; 0: all peers, which saves', 'one hop.'],
  },
  {
    field: 'sessions',
    key: 'sessions',
    fallback: 8,
    min: 2,
    max: 4_096,
    doc: ['Sessions kept, finished ones included: some views of one height, the rest is history.'],
  },
  {
    field: 'ttlMs',
    key: 'ttl_ms',
    fallback: 30_000,
    min: 100,
    max: 600_000,
    doc: ['Milliseconds after which a session without certificate is forgotten: the longest view.'],
  },
  {
    field: 'stashMessages',
    key: 'stash_messages_per_peer',
    fallback: 128,
    min: 1,
    max: CHUNKS_MAX,
    doc: ['Messages of one peer kept before their session is announced: a block of the usual size in', 'chunks.'],
  },
  {
    field: 'storeSoftBytes',
    key: 'store_soft_bytes',
    fallback: 192 * MIB,
    min: 1,
    max: 16 * 1024 * MIB,
    doc: ['Bytes of sessions and stash from which this node defers its proposals (pressure 1).'],
  },
  {
    field: 'storeHardBytes',
    key: 'store_hard_bytes',
    fallback: 256 * MIB,
    min: 1,
    max: 16 * 1024 * MIB,
    doc: ['Bytes from which the oldest session without certificate is evicted (pressure 2).'],
  },
]

/** Limits with a value for each row of the table. */
export function payloadLimitsOf(limitOf: (row: PayloadLimitRow) => number): PayloadLimits {
  const limits: { -readonly [K in keyof PayloadLimits]?: number } = {}
  for (const row of PAYLOAD_LIMIT_ROWS) limits[row.field] = limitOf(row)
  return limits as PayloadLimits
}

/** Default limits. */
export const DEFAULT_PAYLOAD_LIMITS = payloadLimitsOf(({ fallback }) => fallback)

/** Time in ms after which an unanswered request for a payload, records or chunks counts as lost. */
export const REQUEST_LOST_MS = 1_000
/** Time in ms without a new chunk after which missing chunks are requested; a view lasts hundreds of ms. */
export const CHUNK_PULL_AFTER_MS = 100
/** Unsuccessful rounds of chunk requests before the whole payload is requested. */
export const CHUNK_PULLS_MAX = 2
/** Maximum peers from which the records of one compact proposal are requested before the whole payload is requested. */
export const RECORD_SOURCES_MAX = 2
/** Retry interval of a deferred proposal in ms, and the maximum deferral as a share of the view timeout. */
export const DEFER_MS = 25
export const DEFER_SHARE = 0.25
