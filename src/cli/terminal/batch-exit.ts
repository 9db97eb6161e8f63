/** Owns the exit code of a command with several results, some of which failed. */
import { EXIT } from '../../model/errors.js'

/** Exit codes, most severe first. */
const ORDER = [EXIT.internal, EXIT.unreachable, EXIT.notAuthorised, EXIT.pending, EXIT.rejected, EXIT.badInput]

/** Most severe of these exit codes; 0 if all succeeded. */
export function batchExit(outcomes: readonly { readonly exit: number }[]): number {
  const found = new Set(outcomes.map((one) => one.exit))
  return ORDER.find((code) => found.has(code)) ?? [...found].find((code) => code !== EXIT.ok) ?? EXIT.ok
}
