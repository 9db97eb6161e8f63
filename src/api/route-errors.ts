/**
 * Owns the possible errors of a route: errors implied by its row, and errors that the row adds (docs/design/gateway.md
 * 3).
 */
import type { ErrorCode } from '../model/index.js'
import { parameterFields } from './parameters.js'
import type { AnyRoute } from './route.js'

/** Errors of every route: an invalid head, a slow client, too many connections of a client, a stopping node, a bug. */
const ALWAYS: readonly ErrorCode[] = [
  'malformed_request',
  'validation_failed',
  'request_timeout',
  'headers_too_large',
  'too_many_connections',
  'internal',
  'node_stopping',
]
/** Errors that do not apply to liveness: limits, keys, and the start phase. */
const LIMITED: readonly ErrorCode[] = ['unauthorised', 'rate_limited', 'node_starting']

/** Errors for bytes or JSON that do not match their schema. */
const CODEC: readonly ErrorCode[] = [
  'truncated',
  'trailing_bytes',
  'non_canonical',
  'bad_tag',
  'bad_utf8',
  'out_of_bounds',
  'too_deep',
  'bad_value',
  'malformed_json',
  'unknown_field',
  'duplicate_field',
  'missing_field',
  'unknown_instruction',
]
const FRAME: readonly ErrorCode[] = ['bad_magic', 'unsupported_version', 'schema_mismatch', 'bad_checksum']

/** Errors of transaction admission, whatever its source. */
export const ADMISSION_ERRORS: readonly ErrorCode[] = [
  'chain_mismatch',
  'transaction_in_future',
  'transaction_expired',
  'ttl_too_long',
  'transaction_limit',
  'signature_missing',
  'signature_invalid',
  'signature_unknown_signer',
  'signature_algorithm_denied',
  'signature_insufficient',
  'already_committed',
  'already_enqueued',
  'queue_full',
  'per_user_queue_limit',
  'queue_unresolved_route',
  'unknown_account',
  'not_permitted',
  'teu_exhausted',
]

function bodyErrors({ method, body }: AnyRoute): readonly ErrorCode[] {
  if (body === undefined) return method === 'GET' ? [] : ['payload_too_large']
  const read: readonly ErrorCode[] = body.as === 'bytes' ? [] : body.as === 'record' ? CODEC : [...CODEC, ...FRAME]
  return ['payload_too_large', 'unsupported_media_type', ...read]
}

function queryErrors({ query }: AnyRoute): readonly ErrorCode[] {
  const names = query === undefined ? [] : parameterFields(query).map(({ name }) => name)
  return names.includes('cursor') ? ['invalid_pagination', 'cursor_expired'] : []
}

function formatErrors({ format }: AnyRoute): readonly ErrorCode[] {
  if (format === 'websocket') return ['too_many_streams', 'upgrade_required', 'forbidden']
  return format === 'sse' ? ['not_acceptable', 'too_many_streams'] : ['not_acceptable']
}

/** True if the query or list of a route may have no object. */
const canBeAbsent = ({ answer }: AnyRoute): boolean =>
  answer !== undefined && 'absent' in answer && answer.absent !== undefined

/** Codes of all errors of a route, each once. */
export function errorsOf(row: AnyRoute): readonly ErrorCode[] {
  const codes = new Set<ErrorCode>(ALWAYS)
  const add = (more: readonly ErrorCode[]): void => {
    for (const code of more) codes.add(code)
  }
  if (row.unlimited !== true) add(LIMITED)
  if (row.access !== 'public') add(['unauthorised', 'forbidden'])
  if (row.profile !== undefined) add(['telemetry_profile_restricted'])
  if (row.whileHalted !== true) add(['node_halted'])
  // The object of the path or of the response may not exist.
  if (row.params !== undefined || canBeAbsent(row)) add(['not_found'])
  add(queryErrors(row))
  add(bodyErrors(row))
  add(formatErrors(row))
  add(row.errors ?? [])
  return [...codes]
}
