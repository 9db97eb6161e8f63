/** Owns the response of a gateway: status, headers and body, and the error of a refusal. */

import { CODEC_MEDIA_TYPE, ERROR_FRAME } from '../api/index.js'
import { parseJson } from '../codec/json-text.js'
import { isErrorCode, LedgerError } from '../model/index.js'
import { notAGateway } from './decoded.js'

/** Maximum length of an error response, in bytes, and of its message for display, in characters. */
const REFUSAL_MAX_BYTES = 1024 * 1024
const MESSAGE_MAX_CHARS = 2_000
/** HTTP response of any status. */
export interface HttpAnswer {
  readonly status: number
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  /** Number of attempts; 1 if none was repeated. */
  readonly tries: number
}

/** Header as a text. */
export const headerOf = (answer: HttpAnswer, name: string): string | undefined => {
  const value = answer.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** True for a successful response; a redirect is not one. */
export const isSuccess = ({ status }: Pick<HttpAnswer, 'status'>): boolean => status >= 200 && status < 300

/** Text of a gateway for use in an error: one line of limited length. */
function wordsOf(text: unknown): string | undefined {
  if (typeof text !== 'string' || text === '') return undefined
  const line = text.replace(/\s*\n\s*/g, ' ')
  return line.length > MESSAGE_MAX_CHARS ? `${line.slice(0, MESSAGE_MAX_CHARS)}…` : line
}

/** Read the beginning of an error response body. */
export async function refusalBody(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body) {
    parts.push(part)
    bytes += part.length
    if (bytes > REFUSAL_MAX_BYTES) break
  }
  return Buffer.concat(parts)
}

/** Error of a failed response; derived from the status if the response is not from a node. */
export function errorOfAnswer(answer: HttpAnswer): LedgerError {
  const type = headerOf(answer, 'content-type') ?? ''
  let record: { code?: unknown; message?: unknown; hint?: unknown; details?: unknown; request_id?: unknown } = {}
  try {
    if (answer.body.length > REFUSAL_MAX_BYTES) record = {}
    else if (type.startsWith(CODEC_MEDIA_TYPE)) {
      const opened = ERROR_FRAME.open(answer.body)
      if (opened.ok) {
        const { details, requestId, ...rest } = opened.value
        record = { ...rest, request_id: requestId, details: details === undefined ? undefined : parseJson(details) }
      }
    } else {
      const json: unknown = parseJson(answer.body.toString('utf8'))
      if (json !== null && typeof json === 'object') record = json
    }
  } catch {
    // Not a record of a node: the status suffices.
  }
  const given = typeof record.details === 'object' && record.details !== null ? Object.entries(record.details) : []
  // Avoids duplication: a gateway may write any field.
  const more: Record<string, unknown> = Object.fromEntries(
    given.filter(([name]) => name !== 'retry_after_seconds' && name !== '__proto__'),
  )
  more['http_status'] = answer.status
  if (typeof record.request_id === 'string') more['request_id'] = record.request_id
  const retryAfter = Number(headerOf(answer, 'retry-after'))
  if (Number.isFinite(retryAfter) && retryAfter > 0) more['retry_after_seconds'] = retryAfter
  const { code } = record
  const [message, hint] = [wordsOf(record.message), wordsOf(record.hint)]
  const { status } = answer
  // A redirect, or a success that does not match the route, is not an error of a node whatever its body says.
  if (status >= 400 && typeof code === 'string' && isErrorCode(code)) {
    const text = message ?? `the gateway responded with HTTP ${status}`
    return new LedgerError(code, text, hint === undefined ? { details: more } : { hint, details: more })
  }
  const details = typeof code === 'string' ? { ...more, code: wordsOf(code) } : more
  const summary = message === undefined ? `HTTP ${status}` : `HTTP ${status}: ${message}`
  // A proxy in between cannot reach its node.
  if (status === 502 || status === 503 || status === 504)
    return new LedgerError('unreachable', `no response from the gateway: ${summary}`, { details })
  if (status >= 300 && status < 400)
    return new LedgerError('not_a_gateway', `not a Causeway gateway: it responded ${summary}`, {
      hint: 'Redirects are not followed: give the address of the gateway itself.',
      details,
    })
  return notAGateway(`it responded ${summary}`, details)
}
