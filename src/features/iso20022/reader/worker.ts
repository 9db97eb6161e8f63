/** Owns the entry of the reader thread: one body after the other, in order of arrival. */
import { serveJobs } from '../../../crypto/index.js'
import { parsePayment } from '../message/parse.js'
import type { ParseOptions, ParseResult } from '../message/payment.js'

/** A body to read; its memory is transferred. */
export interface ReadJob {
  readonly body: ArrayBuffer
  readonly options: ParseOptions
}

serveJobs(({ body, options }: ReadJob): ParseResult => parsePayment(new Uint8Array(body), options))
