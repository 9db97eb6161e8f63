/** Owns the trace context of requests and responses (W3C Trace Context). */

/** Trace header of requests, and of responses where it is exposed. */
export const TRACEPARENT_HEADER = 'traceparent'

/** A transaction that a request brought. */
export interface Submission {
  readonly transactionHash: Uint8Array
  /** Identification of the message that it was made of, when a message brought it. */
  readonly messageId?: string
}

/** A request that is about to be answered. */
export interface AnsweredRequest {
  readonly method: string
  /** Path of its route, parameters in braces: never what a client wrote. */
  readonly path: string
  readonly status: number
  /** Code of the error that it is answered with. */
  readonly code: string | undefined
  readonly traceparent: string | undefined
  /** Time since the start, in ms. */
  readonly tookMs: number
  readonly submission: Submission | undefined
}

/** Follows requests: one service of a node has it. */
export interface RequestTracer {
  /** `traceparent` of the answer; undefined where the request is not followed. */
  answered(request: AnsweredRequest): string | undefined
}
