/** Owns the entry of the reader thread: bodies are read sequentially, in order of arrival. */
import { serveJobs } from '../../../crypto/index.js'
import { parsePayments } from '../message/parse.js'
import type { PaymentsOptions, PaymentsResult } from '../message/payment.js'

/** A body to read; its memory is transferred. */
export interface ReadJob {
  readonly body: ArrayBuffer
  readonly options: PaymentsOptions
}

serveJobs(({ body, options }: ReadJob): PaymentsResult => parsePayments(new Uint8Array(body), options))
