/**
 * Owns the identities of traces: those that requests name (W3C Trace Context, level 1, section 3.2), and those of transactions, which every
 * node knows from their hashes, so that no message between nodes carries one.
 */
import { toHex } from '../../../codec/index.js'

const TRACE_ID_BYTES = 16
const SPAN_ID_BYTES = 8

/** A span of a trace. */
export interface SpanPlace {
  /** 32 and 16 hexadecimal digits, neither all zero. */
  readonly traceId: string
  readonly spanId: string
}

/** A place that a request names, and whether it wants to be followed. */
export interface RequestPlace extends SpanPlace {
  readonly sampled: boolean
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const isZero = (digits: string): boolean => /^0+$/.test(digits)

/** The place that a header names; undefined for what is to be ignored, as the standard says. */
export function parseTraceparent(text: string | undefined): RequestPlace | undefined {
  const match = text === undefined || text.length > 256 ? null : FORM.exec(text)
  if (match === null) return undefined
  const [, version = '', traceId = '', spanId = '', flags = '', more] = match
  if (version === 'ff' || (version === '00' && more !== undefined) || isZero(traceId) || isZero(spanId))
    return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** The header that shows a place that is followed. */
export const traceparentOf = ({ traceId, spanId }: SpanPlace): string => `00-${traceId}-${spanId}-01`

/** The span that stands for a transaction as a whole: trace and span by its hash, on every node. */
export function placeOf(transactionHash: Uint8Array): SpanPlace {
  const end = TRACE_ID_BYTES + SPAN_ID_BYTES
  return {
    traceId: toHex(transactionHash.subarray(0, TRACE_ID_BYTES)),
    spanId: toHex(transactionHash.subarray(TRACE_ID_BYTES, end)),
  }
}

/** Whether a transaction is of the share that is followed: the same on all nodes with this share, by the rest of its hash. */
export function isOfShare(transactionHash: Uint8Array, perMille: number): boolean {
  const rest = Buffer.from(transactionHash).readUInt32BE(TRACE_ID_BYTES + SPAN_ID_BYTES)
  return rest < (perMille / 1_000) * 2 ** 32
}
