/** Owns the handler of uncaught errors, such as a disk that fills up during a command. */
import { failureOf } from './failure.js'
import { Output } from './output.js'

/** Print an uncaught error in the format of commands, and end the process with the code of the error. */
export function guardUncaught(): void {
  process.on('uncaughtException', (error) => {
    const failure = failureOf(error, '')
    new Output(process.argv.includes('--json'), false).failed(failure)
    // A bug may not recur, so its trace is always printed.
    if (failure.stack !== undefined) process.stderr.write(`${failure.stack}\n`)
    process.exit(failure.exit)
  })
}
