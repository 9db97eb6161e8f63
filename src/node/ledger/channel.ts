/** Owns the framing between the main thread and the ledger thread: a small record and one flat, transferred buffer each. */

import type { TurnClass } from '../../base/turns.js'
import { isErrorCode, LedgerError } from '../../model/index.js'

/** Classes of requests to the ledger thread. */
export type LedgerTurn = 'consensus' | 'admission' | 'node' | 'client'

/** Reads of the node itself and of its operators at a time: each may hold blocks of the chain in memory. */
const NODE_READS_AT_ONCE = 8
/** Reads and trials of clients at a time. */
const CLIENT_READS_AT_ONCE = 4
/** Most of the thread's time that clients have together, whatever they ask for: the rest is for blocks and payments. */
const CLIENT_SHARE = 0.25

/** How the ledger thread serves each class, the most urgent first. */
export const LEDGER_TURNS: Readonly<Record<LedgerTurn, TurnClass>> = {
  consensus: { atOnce: Number.POSITIVE_INFINITY },
  admission: { atOnce: Number.POSITIVE_INFINITY },
  node: { atOnce: NODE_READS_AT_ONCE },
  client: { atOnce: CLIENT_READS_AT_ONCE, share: CLIENT_SHARE },
}

/** A request to the ledger thread. */
export interface ChannelRequest {
  readonly id: number
  readonly method: string
  /** Class in whose turns it is served. */
  readonly turn: LedgerTurn
  readonly body: ArrayBuffer
}

/** An answer; `error` is a record of the catalogue, or an internal fault without code. */
export interface ChannelResponse {
  readonly id: number
  readonly body?: ArrayBuffer
  readonly error?: ErrorRecord
}

/** An error as threads exchange it: with a code, one of the catalogue; without, a bug with its stack. */
export interface ErrorRecord {
  readonly code?: string | undefined
  readonly message: string
  readonly hint?: string | undefined
  readonly details?: LedgerError['details'] | undefined
  readonly stack?: string | undefined
}

export function errorRecordOf(error: unknown): ErrorRecord {
  if (error instanceof LedgerError) {
    const { code, message, hint, details } = error
    return { code, message, hint, details }
  }
  const fault = error instanceof Error ? error : new Error(String(error))
  return { message: fault.message, stack: fault.stack }
}

export function errorFromRecord(record: ErrorRecord): Error {
  if (record.code !== undefined && isErrorCode(record.code)) {
    const { code, message, hint, details } = record
    return new LedgerError(code, message, { hint, details })
  }
  const error = new Error(record.message)
  if (record.stack !== undefined) error.stack = record.stack
  return error
}

/** Notices of the ledger thread: readiness, replay progress, failure to open. */
export type ChannelNotice =
  | { readonly notice: 'ready' }
  | { readonly notice: 'replaying'; readonly height: number; readonly target: number }
  | { readonly notice: 'failed'; readonly error: ErrorRecord }

/** An own copy of the bytes, so that the buffer can be transferred. */
export function transferable(bytes: Uint8Array): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.length)
  new Uint8Array(copy).set(bytes)
  return copy
}
