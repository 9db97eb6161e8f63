/** Owns error responses: the error record, its status and headers (docs/design/gateway.md 3). */

import {
  CODEC_MEDIA_TYPE,
  ERROR_DETAILS_MAX_BYTES,
  ERROR_FRAME,
  ERROR_TEXT_MAX_BYTES,
  type ErrorDetails,
  type HttpErrorRecord,
  JSON_MEDIA_TYPE,
  RATE_LIMIT_HEADERS,
} from '../api/index.js'
import { definedFields } from '../base/defined-fields.js'
import type { CodecFault } from '../codec/index.js'
import { clipText, ERRORS, type ErrorCode, LedgerError } from '../model/index.js'

/** Content type of every JSON response. */
export const JSON_CONTENT_TYPE = `${JSON_MEDIA_TYPE}; charset=utf-8`

/** Headers of every response: browsers must not guess its type, and caches must not store ledger state. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

/** Supported WebSocket version (RFC 6455, section 4.4). */
export const WEBSOCKET_VERSION = '13'

/** Seconds after which a saturated or starting node may be retried. */
const RETRY_AFTER_SECONDS = 1

/** Error for bytes or JSON that do not match their schema, with the first fault and the positions of all faults. */
export function faultError({ also = [], ...first }: CodecFault): LedgerError {
  const { code, message, ...place } = first
  const faults = [first, ...also].flatMap(({ path, at: _, ...fault }) =>
    path === undefined ? [] : [{ path, ...fault }],
  )
  const details = definedFields({ ...place, faults: faults.length === 0 ? undefined : faults })
  const text = also.length === 0 ? message : `${message}; and ${also.length} more`
  return new LedgerError(code, text, { details: Object.keys(details).length === 0 ? undefined : details })
}

/** Refusals of this node for which a retry does not help. */
const LASTING: ReadonlySet<ErrorCode> = new Set(['telemetry_profile_restricted', 'node_halted'])

/** Seconds for Retry-After; undefined if a retry does not help, or if its delay depends on the client. */
export function retryAfterSeconds(error: LedgerError): number | undefined {
  const wanted = error.details?.['retry_after_seconds']
  if (typeof wanted === 'number') return Math.max(1, Math.ceil(wanted))
  if (error.http === 429) return RETRY_AFTER_SECONDS
  return error.http === 503 && !LASTING.has(error.code) ? RETRY_AFTER_SECONDS : undefined
}

/** Details as JSON text; bigints as decimal strings; undefined if they are too long to send. */
function detailsText(details: Readonly<Record<string, unknown>> | undefined): string | undefined {
  if (details === undefined) return undefined
  const text = JSON.stringify(details, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
  return Buffer.byteLength(text) <= ERROR_DETAILS_MAX_BYTES ? text : undefined
}

/** Complete response. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Response to a failed request. A code without an HTTP status is sent as `internal`. */
export function errorAnswer(error: LedgerError, requestId: string, binary: boolean): Answer {
  const hidden = ERRORS[error.code].http === 0 || error.code === 'internal'
  const code: ErrorCode = hidden ? 'internal' : error.code
  const message = hidden ? 'the node failed to answer; its log has the cause under this request id' : error.message
  const hint = hidden ? undefined : error.hint
  const details = hidden ? undefined : detailsText(error.details)
  const headers: Record<string, string> = { ...COMMON_HEADERS, 'x-ledger-reject-code': code }
  if (code === 'upgrade_required') {
    headers['upgrade'] = 'websocket'
    headers['sec-websocket-version'] = WEBSOCKET_VERSION
  }
  const seconds = hidden ? undefined : retryAfterSeconds(error)
  if (seconds !== undefined) headers['retry-after'] = String(seconds)
  const burst = error.details?.['burst']
  if (code === 'rate_limited' && typeof burst === 'number') {
    headers[RATE_LIMIT_HEADERS.limit] = String(burst)
    headers[RATE_LIMIT_HEADERS.remaining] = '0'
    headers[RATE_LIMIT_HEADERS.reset] = String(seconds)
  }
  const clipped = clipText(message, ERROR_TEXT_MAX_BYTES)
  const clippedHint = hint === undefined ? undefined : clipText(hint, ERROR_TEXT_MAX_BYTES)
  const status = ERRORS[code].http
  if (binary) {
    headers['content-type'] = CODEC_MEDIA_TYPE
    const body = ERROR_FRAME.seal({ code, message: clipped, hint: clippedHint, details, requestId })
    return { status, headers, body }
  }
  headers['content-type'] = JSON_CONTENT_TYPE
  const record: HttpErrorRecord = definedFields({
    code,
    message: clipped,
    hint: clippedHint,
    details: details === undefined ? undefined : (JSON.parse(details) as ErrorDetails),
    request_id: requestId,
  })
  return { status, headers, body: Buffer.from(JSON.stringify(record)) }
}

/** Error codes for unexpected errors of the server library. */
const FRAMEWORK_CODES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'the body is longer than this route accepts'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed_request', 'the body length does not match Content-Length'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'the Content-Type is malformed or not supported'],
  FST_ERR_BAD_URL: ['malformed_request', 'the URL has an invalid percent escape'],
  FST_ERR_MAX_PARAM_LENGTH: ['malformed_request', 'a part of the path is too long'],
  ECONNRESET: ['malformed_request', 'the connection was closed before the request was complete'],
}

/** Convert a thrown error to one of the catalogue; `internal` for a bug or I/O, which the caller logs. */
export function toLedgerError(error: unknown): LedgerError {
  if (error instanceof LedgerError) return error
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown }
  const known = typeof code === 'string' ? FRAMEWORK_CODES[code] : undefined
  if (known !== undefined) return new LedgerError(known[0], known[1])
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new LedgerError('malformed_request', 'the request is malformed')
  }
  return new LedgerError('internal', 'unexpected error', { cause: error })
}
