/** Owns error handling of standard output: a closed reader is not a failure, a full disk is. */
import { spawn } from 'node:child_process'
import { fstatSync } from 'node:fs'
import { failureOf } from './failure.js'
import { Output } from './output.js'

/**
 * Install the error handler of standard output. Must run before the command framework is loaded, which installs its own
 * handler.
 */
export function guardStandardOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    const failure = failureOf(Object.assign(error, { path: 'standard output' }), '')
    // Always as text: standard output accepts nothing more.
    new Output(false, false).failed(failure)
    process.exit(failure.exit)
  })
}

/** Keep a daemon running if standard output fails; its log counts the lines that standard output did not accept. */
export function surviveStandardOutput(): void {
  process.stdout.removeAllListeners('error')
  process.stdout.on('error', () => undefined)
}

/**
 * End the process as soon as the reader of the pipe behind standard output has closed, even if nothing is ever written:
 * `causeway events watch | head -1` on a quiet chain. For commands that may be silent for long.
 *
 * Only poll(2) reports this, which the runtime does not offer, but `tail -f` of GNU checks it once a second (coreutils
 * 8.28 and later). That `tail` runs beside this process and ends with SIGPIPE. Other implementations of `tail` end
 * differently, or not before this process; then, as with a socket, the next write detects the closed reader.
 */
export function leaveWithReader(): void {
  if (!fstatSync(1).isFIFO()) return
  const watcher = spawn('tail', ['-f', `--pid=${process.pid}`, '/dev/null'], { stdio: ['ignore', 1, 'ignore'] })
  watcher.once('error', () => undefined)
  watcher.once('exit', (_code, signal) => {
    if (signal === 'SIGPIPE') process.exit(0)
  })
  watcher.unref()
  // It holds the pipe open, and the reader of the pipe waits for its end too.
  process.once('exit', () => watcher.kill())
}
