/** Owns the error codes of the command line. */
import { type ErrorDef, EXIT, row } from '../error-row.js'

export const commandLineErrors = {
  usage: row(0, EXIT.usage, 'The arguments or flags of the command are wrong.', 'Run the command with --help.'),
  unreachable: row(
    0,
    EXIT.unreachable,
    'The node did not answer.',
    'Check that it runs and that the address is right: `causeway doctor` on its machine, or --gateway.',
  ),
  pending: row(
    0,
    EXIT.pending,
    'It was not committed within the time to wait.',
    'It may still be committed: `causeway tx get HASH`.',
  ),
  check_failed: row(0, EXIT.checkFailed, 'A check failed.', 'Fix what the checks above name.'),
} as const satisfies Record<string, ErrorDef>
