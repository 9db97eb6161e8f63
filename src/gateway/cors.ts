/** Owns CORS headers (Fetch standard 3.3): none unless configured. */
import type { IncomingMessage } from 'node:http'
import {
  API_TOKEN_HEADER,
  DATASPACE_HEADER,
  LANE_HEADER,
  LAST_EVENT_ID_HEADER,
  RATE_LIMIT_HEADERS,
  REJECT_CODE_HEADER,
  SESSION_HEADER,
  SIGNED_HEADERS,
} from '../api/index.js'
import { TRACEPARENT_HEADER } from '../api/request-trace.js'
import { COMMON_HEADERS } from './answer.js'

/** Headers that a page may send. */
const REQUEST_HEADERS = [
  'accept',
  'content-type',
  LAST_EVENT_ID_HEADER,
  API_TOKEN_HEADER,
  SESSION_HEADER,
  TRACEPARENT_HEADER,
  ...Object.values(SIGNED_HEADERS),
]
/** Response headers that a page may read. */
const RESPONSE_HEADERS = [
  REJECT_CODE_HEADER,
  LANE_HEADER,
  DATASPACE_HEADER,
  'location',
  'retry-after',
  TRACEPARENT_HEADER,
  ...Object.values(RATE_LIMIT_HEADERS),
]
/** Time for which a browser may cache a preflight response, in seconds; browsers cap it at 600 to 7200. */
const MAX_AGE_SECONDS = 600

type Headers = Readonly<Record<string, string>>
const NONE: Headers = {}

/** Allow list of exact origins. Cookies are not used, so credentials are never allowed. */
export class Cors {
  private origins: ReadonlySet<string> = new Set()

  constructor(origins: readonly string[]) {
    this.change(origins)
  }

  /** Replace the list. */
  change(origins: readonly string[]): void {
    this.origins = new Set(origins)
  }

  /** True if pages of this origin may call. */
  allows(origin: string): boolean {
    return this.origins.has(origin)
  }

  /** Headers of any response to this request. */
  headersFor(request: IncomingMessage): Headers {
    if (this.origins.size === 0) return NONE
    // Responses differ by origin, including those that allow none.
    const { origin } = request.headers
    if (origin === undefined || !this.origins.has(origin)) return { vary: 'origin' }
    return {
      vary: 'origin',
      'access-control-allow-origin': origin,
      'access-control-expose-headers': RESPONSE_HEADERS.join(', '),
    }
  }

  /** Response headers for a preflight of an allowed page; undefined if the request is not a preflight. */
  preflight(request: IncomingMessage): Headers | undefined {
    const { headers, method } = request
    const allowed = headers.origin !== undefined && this.origins.has(headers.origin)
    if (method !== 'OPTIONS' || !allowed || headers['access-control-request-method'] === undefined) return undefined
    return {
      ...COMMON_HEADERS,
      'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
      'access-control-allow-headers': REQUEST_HEADERS.join(', '),
      'access-control-max-age': String(MAX_AGE_SECONDS),
    }
  }
}
