/** Owns where a body is read: small ones at once, large ones on a thread of their own (docs/decisions/0016). */
import { compiledUrl, JobThread } from '../../../crypto/index.js'
import { LedgerError } from '../../../model/index.js'
import { MAX_BODY_BYTES, type PaymentsOptions, type PaymentsResult, parsePayments } from '../message/index.js'
import type { ReadJob } from './worker.js'

/** Bodies up to this size are read at once, in bytes: they take about a millisecond, and the way to a thread costs too. */
export const INLINE_MAX_BYTES = 16 * 1024

/** Names of payments in a body that is read at once: one without fields has a few bytes, and its faults cost as much as its reading would. */
export const INLINE_MAX_PAYMENT_NAMES = 256
const PAYMENT_NAME = 'CdtTrfTxInf'

/** Bodies that may wait for the thread, and their bytes in all: a second or two of reading. */
export const MAX_WAITING = 64
export const MAX_WAITING_BYTES = 16 * 1024 * 1024

/** The payments of a body, or why it was not read: `queue_full`, `node_stopping`. */
export type ReadAnswer = PaymentsResult | LedgerError

function isShort(body: Uint8Array): boolean {
  if (body.length > INLINE_MAX_BYTES) return false
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  let names = 0
  for (let at = bytes.indexOf(PAYMENT_NAME); at >= 0; at = bytes.indexOf(PAYMENT_NAME, at + PAYMENT_NAME.length)) {
    names += 1
    if (names > INLINE_MAX_PAYMENT_NAMES) return false
  }
  return true
}

const stopping = (): LedgerError => new LedgerError('node_stopping', 'the bridge is closed')

/**
 * Reads bodies as payments. The thread starts with the first large body and keeps no process alive while it is idle;
 * a thread that ends rejects its requests, and the next large body starts another.
 */
export class MessageReader {
  private readonly thread = new JobThread<ReadJob, PaymentsResult>(
    compiledUrl('features/iso20022/reader/worker.js'),
    'reader',
  )
  private waitingBytes = 0
  private closed = false

  /** True while there is a reader thread. */
  get hasThread(): boolean {
    return this.thread.hasThread
  }

  /** Reads a body by `parsePayments`, on whichever thread; rejects if the thread dies or the reader has a bug. */
  async read(body: Uint8Array, options: PaymentsOptions): Promise<ReadAnswer> {
    if (this.closed) return stopping()
    // A body that is too large is refused by its size alone.
    if (body.length > MAX_BODY_BYTES || isShort(body)) return parsePayments(body, options)
    if (this.thread.size >= MAX_WAITING || this.waitingBytes + body.length > MAX_WAITING_BYTES) {
      return new LedgerError('queue_full', `${this.thread.size} large messages wait to be read`)
    }
    // The caller keeps its bytes: a held message stores them.
    const copy = new Uint8Array(body).buffer
    this.waitingBytes += body.length
    try {
      return await this.thread.run({ body: copy, options }, [copy])
    } catch (error) {
      if (this.closed) return stopping()
      throw error
    } finally {
      this.waitingBytes -= body.length
    }
  }

  /** Ends the thread; bodies that wait are answered with `node_stopping`. */
  async close(): Promise<void> {
    this.closed = true
    await this.thread.close()
  }
}
