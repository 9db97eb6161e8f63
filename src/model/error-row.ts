/** Owns the content of a row of the error catalogue, and the exit codes of the command line. */
import type { Dated } from './dated.js'

/** Exit codes of the command line (docs/design/cli.md 3). */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  config: 3,
  badInput: 4,
  unreachable: 5,
  rejected: 6,
  internal: 7,
  pending: 8,
  notAuthorised: 9,
  checkFailed: 10,
} as const

/** One row of the catalogue. */
export interface ErrorDef extends Dated {
  /** HTTP status of a response with the code; 0 for codes that are not returned over HTTP. */
  readonly http: number
  /** Process exit code of a command that fails with it. */
  readonly exit: number
  /** General meaning of the code. */
  readonly means: string
  /** General hint. */
  readonly hint: string
  /**
   * Number in the results of transactions, which are hashed; only codes returned by instructions have one. Never
   * reused.
   */
  readonly number?: number
  /**
   * True if an earlier transaction already had the requested effect, so that the rejected transaction counts as done.
   */
  readonly repeats?: true
}

/** Row of a code that instructions do not return. */
export const row = (http: number, exit: number, means: string, hint: string): ErrorDef => ({ http, exit, means, hint })

/** Row of a code that instructions return. */
export const answered = (
  number: number,
  http: number,
  exit: number,
  means: string,
  hint: string,
  dated: Dated = {},
) => ({
  ...row(http, exit, means, hint),
  number,
  ...dated,
})
