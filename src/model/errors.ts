/** Owns the error class of expected failures, and its shape for display. */
import { ERRORS, type ErrorCode } from './error-catalogue.js'

export * from './error-catalogue.js'

/** Error record printed by HTTP and the command line; HTTP adds `request_id`, `--json` adds `exit`. */
export interface ErrorRecord {
  readonly code: ErrorCode
  readonly message: string
  readonly hint?: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Expected failure with its code; thrown only across I/O boundaries, returned as a value elsewhere. */
export class LedgerError extends Error {
  readonly code: ErrorCode
  readonly hint: string
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      readonly hint?: string | undefined
      readonly details?: Readonly<Record<string, unknown>> | undefined
      readonly cause?: unknown
    } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'LedgerError'
    this.code = code
    this.hint = more.hint ?? ERRORS[code].hint
    this.details = more.details
  }

  /** HTTP status of the code; 500 for codes without one. */
  get http(): number {
    return ERRORS[this.code].http || 500
  }

  /** Exit code of a command that ends with this error. */
  get exit(): number {
    return ERRORS[this.code].exit
  }

  /** Error record shared by HTTP and the command line. */
  toRecord(): ErrorRecord {
    const { code, message, hint, details } = this
    return details === undefined ? { code, message, hint } : { code, message, hint, details }
  }
}

/** True for a text that is a code of the catalogue. */
export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text)

/** Throw if an invariant does not hold: a node must stop rather than fork. */
export function assertInvariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`)
}
