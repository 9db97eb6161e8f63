/** Owns the trace context of requests and responses (W3C Trace Context). */

/** Trace header of requests, and of responses where it is exposed. */
export const TRACEPARENT_HEADER = 'traceparent'

/** Transaction submitted by a request. */
export interface Submission {
  readonly transactionHash: Uint8Array
  /** Id of the message from which it was built, if any. */
  readonly messageId?: string
}

/** Request whose response is about to be sent. */
export interface AnsweredRequest {
  readonly method: string
  /** Path of its route with parameters in braces; it never contains client input. */
  readonly path: string
  readonly status: number
  /** Error code of the response. */
  readonly code: string | undefined
  readonly traceparent: string | undefined
  /** Time since the start of the request, in ms. */
  readonly tookMs: number
  readonly submission: Submission | undefined
}

/** Tracer of requests; at most one service of a node provides it. */
export interface RequestTracer {
  /** `traceparent` of the response; undefined if the request is not traced. */
  answered(request: AnsweredRequest): string | undefined
}
