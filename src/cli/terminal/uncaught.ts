/** Owns the handler of uncaught errors, such as a disk that fills up during a command. */
import { failureOf } from './failure.js'
import { Output } from './output.js'

/** Prints it as a command prints its own errors, and ends the process with the code of the error. */
export function guardUncaught(): void {
  process.on('uncaughtException', (error) => {
    const failure = failureOf(error, '')
    new Output(process.argv.includes('--json'), false).failed(failure)
    // Of a bug the trace is all that there is: nobody can ask for it again.
    if (failure.stack !== undefined) process.stderr.write(`${failure.stack}\n`)
    process.exit(failure.exit)
  })
}
