/**
 * Owns calls from one request to other routes of the same node: each is validated, rate limited and logged like a
 * separate request.
 */
import type { Json } from '../codec/index.js'
import type { LedgerError } from '../model/index.js'
import type { AnyRoute } from './route.js'

/** True for rows with JSON request and response; streams and binary bodies cannot be called this way. */
export const isCallable = ({ stream, response, body }: AnyRoute): boolean =>
  stream === undefined && response !== undefined && body?.as !== 'bytes'

/** Response of a dispatched route. */
export interface Dispatched {
  /** HTTP status of the response. */
  readonly status: number
  /** JSON text. */
  readonly text: string
}

/** Routes of the node, for the caller of a request. */
export interface Dispatch {
  /** Rows that are served and can be called; the same list for every request. */
  readonly rows: readonly AnyRoute[]
  /**
   * Call a route by its id. `parameters`: path and query parameters by name, and `body`. An id that is not in `rows`
   * returns `route_not_found`.
   */
  call(id: string, parameters: Readonly<Record<string, Json>>): Promise<Dispatched | LedgerError>
}
