/** Owns where a body is read: small ones at once, large ones on a thread of their own (docs/decisions/0016). */
import { Worker } from 'node:worker_threads'
import { workerUrl } from '../../../crypto/index.js'
import { LedgerError } from '../../../model/index.js'
import { MAX_BODY_BYTES, type ParseOptions, type ParseResult, parsePayment } from '../message/index.js'
import type { ReadRequest, ReadResponse } from './worker.js'

/** Bodies up to this size are read at once, in bytes: they take about a millisecond, and the way to a thread costs too. */
export const INLINE_MAX_BYTES = 16 * 1024

/** Bodies that may wait for the thread: with the largest body that is 16 MiB, and a second or two of reading. */
export const MAX_WAITING = 64

interface Waiting {
  resolve(answer: ReadAnswer): void
  reject(error: Error): void
}

/** The verdict on a body, or why it was not read: `queue_full`, `node_stopping`. */
export type ReadAnswer = ParseResult | LedgerError

const stopping = (): LedgerError => new LedgerError('node_stopping', 'the bridge is closed')

/**
 * Reads bodies as payments. The thread starts with the first large body and keeps no process alive while it is idle;
 * one that dies rejects what it held, and the next large body starts another.
 */
export class MessageReader {
  private readonly waiting = new Map<number, Waiting>()
  private worker: Worker | undefined
  private nextId = 1
  private closed = false

  /** True while there is a reader thread. */
  get hasThread(): boolean {
    return this.worker !== undefined
  }

  /** The verdict of `parsePayment`, wherever it is found; rejects when the thread dies or the reader has a bug. */
  async read(body: Uint8Array, options: ParseOptions): Promise<ReadAnswer> {
    if (this.closed) return stopping()
    // What is too large is refused by its size alone.
    if (body.length <= INLINE_MAX_BYTES || body.length > MAX_BODY_BYTES) return parsePayment(body, options)
    if (this.waiting.size >= MAX_WAITING) {
      return new LedgerError('queue_full', `${MAX_WAITING} large messages wait to be read`)
    }
    return this.ask(body, options)
  }

  /** Ends the thread; what waits is answered with `node_stopping`. */
  async close(): Promise<void> {
    this.closed = true
    const { worker } = this
    this.worker = undefined
    for (const { resolve } of this.take()) resolve(stopping())
    await worker?.terminate()
  }

  private ask(body: Uint8Array, options: ParseOptions): Promise<ReadAnswer> {
    this.worker ??= this.start()
    const { worker } = this
    return new Promise((resolve, reject) => {
      // The caller keeps its bytes: a held message stores them.
      const copy = new Uint8Array(body).buffer
      const request: ReadRequest = { id: this.nextId, body: copy, options }
      this.nextId += 1
      this.waiting.set(request.id, { resolve, reject })
      worker.ref()
      worker.postMessage(request, [copy])
    })
  }

  private start(): Worker {
    const worker = new Worker(workerUrl(import.meta.url, './worker.js'))
    worker.on('message', (response: ReadResponse) => this.settle(worker, response))
    worker.on('error', (error) => this.lose(worker, error))
    worker.on('exit', (code) => this.lose(worker, new Error(`it ended with code ${code}`)))
    return worker
  }

  private settle(worker: Worker, response: ReadResponse): void {
    const { id } = response
    const entry = this.waiting.get(id)
    this.waiting.delete(id)
    if (this.waiting.size === 0) worker.unref()
    if ('error' in response) entry?.reject(response.error)
    else entry?.resolve(withBuffer(response.result))
  }

  private lose(worker: Worker, cause: Error): void {
    if (this.worker !== worker) return
    this.worker = undefined
    const error = new Error(`the reader thread stopped: ${cause.message}`, { cause })
    for (const { reject } of this.take()) reject(error)
  }

  private take(): Waiting[] {
    const entries = [...this.waiting.values()]
    this.waiting.clear()
    return entries
  }
}

/** The channel makes a plain Uint8Array of the one Buffer of a payment. */
function withBuffer(result: ParseResult): ParseResult {
  if (!result.ok) return result
  return { ...result, payment: { ...result.payment, bodyHash: Buffer.from(result.payment.bodyHash) } }
}
