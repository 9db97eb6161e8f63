/** Owns the framing between the main thread and the ledger thread: a small record and one flat, transferred buffer each. */

import type { LedgerError } from '../../model/index.js'

/** A request to the ledger thread. */
export interface ChannelRequest {
  readonly id: number
  readonly method: string
  readonly body: ArrayBuffer
}

/** An answer; `error` is a record of the catalogue, or an internal fault without code. */
export interface ChannelResponse {
  readonly id: number
  readonly body?: ArrayBuffer
  readonly error?: {
    readonly code?: string
    readonly message: string
    readonly hint?: string
    readonly details?: LedgerError['details']
    readonly stack?: string
  }
}

/** News that nobody asked for: readiness, replay progress, failure to open. */
export type ChannelNotice =
  | { readonly notice: 'ready' }
  | { readonly notice: 'replaying'; readonly height: number; readonly target: number }
  | { readonly notice: 'failed'; readonly error: NonNullable<ChannelResponse['error']> }

/** An own copy of the bytes, so that the buffer can be transferred. */
export function transferable(bytes: Uint8Array): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.length)
  new Uint8Array(copy).set(bytes)
  return copy
}
