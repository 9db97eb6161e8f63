/** Owns the error codes of the command line. */
import { type ErrorDef, EXIT, row } from '../error-row.js'

export const commandLineErrors = {
  usage: row(0, EXIT.usage, 'The arguments or flags of the command are invalid.', 'Run the command with --help.'),
  unreachable: row(
    0,
    EXIT.unreachable,
    'The node did not respond.',
    'Check that it runs and that the address is correct: `causeway doctor` on its machine, or --gateway.',
  ),
  pending: row(
    0,
    EXIT.pending,
    'The transaction was not committed within the timeout.',
    'Run `causeway tx show HASH`: the transaction may still be committed.',
  ),
  check_failed: row(0, EXIT.checkFailed, 'A check failed.', 'Fix the failed checks listed above.'),
} as const satisfies Record<string, ErrorDef>
