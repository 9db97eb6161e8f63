/** Owns what happens when standard output takes no more: a reader that left is no failure, a full disk is one. */
import { failureOf } from './failure.js'

/** Must stand before the command framework is loaded, whose own handler throws. */
export function guardStandardOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    const { record, exit } = failureOf(Object.assign(error, { path: 'standard output' }), '')
    process.stderr.write(`error: ${record.message} [${record.code}]\n`)
    process.exit(exit)
  })
}
