/** Owns fatal errors: a class that names the place, so that no byte of a peer or client can (docs/design/hardening.md 1). */
import { inspect } from 'node:util'
import { storageFailed } from '../files/disk-fault.js'
import { LedgerError } from '../model/index.js'

/**
 * The places that may end a node, each for something of its own that failed: its state machine, its disk, its database,
 * its threads. A certified block that is not reproduced halts instead, and what comes from outside does neither.
 */
export const FATAL_PLACES = {
  consensus: 'an invariant of consensus broke',
  vote_log: 'the vote log failed',
  staging_log: 'the log of staged payloads failed',
  queue_log: 'the log of the queue failed',
  audit_log: 'the audit log failed',
  ledger: 'the ledger thread, its database or the block store failed',
  signer: 'this node may not act for its validator',
  crypto: 'signing or the crypto threads failed',
} as const
export type FatalPlace = keyof typeof FATAL_PLACES

/** The node cannot go on. Its cause is what happened; that is an error of the catalogue where one fits. */
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

/** What a process reports whose node ended: its code says whether a supervisor may start the node again (docs/operate/deploy.md). */
export function endingOf(failure: Error): LedgerError {
  if (failure.cause instanceof LedgerError) return failure.cause
  return storageFailed(failure) ?? new LedgerError('internal', failure.message, { cause: failure })
}

/** What was thrown, in words: not everything that is thrown is an error. */
function textOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) return String(thrown.message)
  return typeof thrown === 'string' ? thrown : inspect(thrown, { depth: 1 })
}
