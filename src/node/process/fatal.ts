/**
 * Owns fatal errors: a class that names the place, so that no input of a peer or client can create one
 * (docs/design/hardening.md 1).
 */
import { inspect } from 'node:util'
import { storageFailed } from '../../files/disk-fault.js'
import { LedgerError } from '../../model/index.js'

/**
 * Components whose failure ends the node: its state machine, disk, database, threads. A certified block that cannot be
 * reproduced halts the node instead; external input can cause neither.
 */
export const FATAL_PLACES = {
  consensus: 'a consensus invariant was violated',
  vote_log: 'the vote log failed',
  staging_log: 'the log of staged payloads failed',
  queue_log: 'the log of the queue failed',
  audit_log: 'the audit log failed',
  ledger: 'the ledger thread, its database or the block store failed',
  signer: 'this node may not act for its validator',
  crypto: 'signing or the crypto threads failed',
} as const
export type FatalPlace = keyof typeof FATAL_PLACES

/** Fatal failure of the node. Its cause is the original error, from the catalogue if one matches. */
export class FatalError extends Error {
  constructor(
    readonly place: FatalPlace,
    cause: unknown,
  ) {
    super(`${FATAL_PLACES[place]}: ${textOf(cause)}`, { cause })
    this.name = 'FatalError'
    if (cause instanceof Error && cause.stack !== undefined) this.stack = cause.stack
  }
}

/**
 * Error report of a process whose node ended: its code determines whether a supervisor may restart the node
 * (docs/operate/deploy.md).
 */
export function endingOf(failure: Error): LedgerError {
  if (failure.cause instanceof LedgerError) return failure.cause
  return storageFailed(failure) ?? new LedgerError('internal', failure.message, { cause: failure })
}

/** Text of a thrown value, which may not be an error. */
function textOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) return String(thrown.message)
  return typeof thrown === 'string' ? thrown : inspect(thrown, { depth: 1 })
}
