/**
 * Owns the ids of traces: ids in requests (W3C Trace Context, level 1, section 3.2), and ids of transactions, which
 * every node derives from their hashes, so that messages between nodes need none.
 */
import { toHex } from '../../../codec/index.js'

const TRACE_ID_BYTES = 16
const SPAN_ID_BYTES = 8

/** A span of a trace. */
export interface SpanPlace {
  /** Ids of 32 and 16 hexadecimal digits, neither all zero. */
  readonly traceId: string
  readonly spanId: string
}

/** Parent span of a request, and whether it is sampled. */
export interface RequestPlace extends SpanPlace {
  readonly sampled: boolean
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const isZero = (digits: string): boolean => /^0+$/.test(digits)

/** Parent span in a header; undefined if the standard requires the header to be ignored. */
export function parseTraceparent(text: string | undefined): RequestPlace | undefined {
  const match = text === undefined || text.length > 256 ? null : FORM.exec(text)
  if (match === null) return undefined
  const [, version = '', traceId = '', spanId = '', flags = '', more] = match
  if (version === 'ff' || (version === '00' && more !== undefined) || isZero(traceId) || isZero(spanId))
    return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Header for a sampled span. */
export const traceparentOf = ({ traceId, spanId }: SpanPlace): string => `00-${traceId}-${spanId}-01`

/** Span of a whole transaction: trace and span id derived from its hash, on every node. */
export function placeOf(transactionHash: Uint8Array): SpanPlace {
  const end = TRACE_ID_BYTES + SPAN_ID_BYTES
  return {
    traceId: toHex(transactionHash.subarray(0, TRACE_ID_BYTES)),
    spanId: toHex(transactionHash.subarray(TRACE_ID_BYTES, end)),
  }
}

/**
 * True if a transaction belongs to the traced share, determined by the remaining bytes of its hash, so that all nodes
 * with this share agree.
 */
export function isOfShare(transactionHash: Uint8Array, perMille: number): boolean {
  const rest = Buffer.from(transactionHash).readUInt32BE(TRACE_ID_BYTES + SPAN_ID_BYTES)
  return rest < (perMille / 1_000) * 2 ** 32
}
