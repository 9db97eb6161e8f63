/** Owns the exit code of a command that did many things, some of which failed. */
import { EXIT } from '../../model/errors.js'

/** What asks most of its reader comes first. */
const ORDER = [EXIT.internal, EXIT.unreachable, EXIT.notAuthorised, EXIT.pending, EXIT.rejected, EXIT.badInput]

/** The one of these codes that asks most of its reader; 0 when all ended well. */
export function batchExit(outcomes: readonly { readonly exit: number }[]): number {
  const found = new Set(outcomes.map((one) => one.exit))
  return ORDER.find((code) => found.has(code)) ?? [...found].find((code) => code !== EXIT.ok) ?? EXIT.ok
}
