/**
 * Owns the choice of the thread that reads a body: small bodies are read inline, large ones on a separate thread
 * (docs/decisions/0016).
 */
import { compiledUrl, JobThread } from '../../../crypto/index.js'
import { LedgerError } from '../../../model/index.js'
import { MAX_BODY_BYTES, type PaymentsOptions, type PaymentsResult, parsePayments } from '../message/index.js'
import type { ReadJob } from './worker.js'

/** Maximum size of a body that is read inline, in bytes: it takes about a millisecond, and a thread has a cost too. */
export const INLINE_MAX_BYTES = 16 * 1024

/**
 * Maximum number of payment elements in a body that is read inline. An empty element has only a few bytes, but its
 * faults cost as much as reading a complete one.
 */
export const INLINE_MAX_PAYMENT_NAMES = 256
const PAYMENT_NAME = 'CdtTrfTxInf'

/** Maximum number and total bytes of the bodies that wait for the thread: one or two seconds of reading. */
export const MAX_WAITING = 64
export const MAX_WAITING_BYTES = 16 * 1024 * 1024

/** Payments of a body, or the reason why it was not read: `queue_full`, `node_stopping`. */
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
 * Reader of bodies as payments. The thread starts with the first large body and does not keep the process alive while
 * it is idle. If the thread ends, its requests are rejected, and the next large body starts a new thread.
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

  /** Read a body with `parsePayments`, inline or on the thread; rejects if the thread ends or the reader has a bug. */
  async read(body: Uint8Array, options: PaymentsOptions): Promise<ReadAnswer> {
    if (this.closed) return stopping()
    // A body that is too large is refused by its size alone.
    if (body.length > MAX_BODY_BYTES || isShort(body)) return parsePayments(body, options)
    if (this.thread.size >= MAX_WAITING || this.waitingBytes + body.length > MAX_WAITING_BYTES) {
      return new LedgerError('queue_full', `${this.thread.size} large messages wait to be read`)
    }
    // Copied, because the caller keeps its bytes: a held message stores them.
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

  /** End the thread; waiting bodies are refused with `node_stopping`. */
  async close(): Promise<void> {
    this.closed = true
    await this.thread.close()
  }
}
