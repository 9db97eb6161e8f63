/** Owns the framing between the main thread and the ledger thread: a small record and one flat, transferred buffer each. */

import type { TurnClass } from '../../base/turns.js'
import { isErrorCode, LedgerError } from '../../model/index.js'

/** Classes of requests to the ledger thread. */
export type LedgerTurn = 'consensus' | 'admission' | 'node' | 'client'

/** Maximum concurrent reads of the node and its operators: each may hold blocks of the chain in memory. */
const NODE_READS_AT_ONCE = 8
/** Maximum concurrent reads and trials of clients. */
const CLIENT_READS_AT_ONCE = 4
/** Maximum share of the thread's time for all clients: the rest is for blocks and payments. */
const CLIENT_SHARE = 0.25

/** Scheduling of each class on the ledger thread, the most urgent first. */
export const LEDGER_TURNS: Readonly<Record<LedgerTurn, TurnClass>> = {
  consensus: { atOnce: Number.POSITIVE_INFINITY },
  admission: { atOnce: Number.POSITIVE_INFINITY },
  node: { atOnce: NODE_READS_AT_ONCE },
  client: { atOnce: CLIENT_READS_AT_ONCE, share: CLIENT_SHARE },
}

/** Request to the ledger thread. */
export interface ChannelRequest {
  readonly id: number
  readonly method: string
  /** Class that determines its priority. */
  readonly turn: LedgerTurn
  readonly body: ArrayBuffer
}

/** Response; `error` is a record of the catalogue, or an internal fault without a code. */
export interface ChannelResponse {
  readonly id: number
  readonly body?: ArrayBuffer
  readonly error?: ErrorRecord
}

/**
 * Error in the form that threads exchange: a catalogue error with its code, or an internal fault with its stack and no
 * code.
 */
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

/** Copy of the bytes whose buffer can be transferred. */
export function transferable(bytes: Uint8Array): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.length)
  new Uint8Array(copy).set(bytes)
  return copy
}
