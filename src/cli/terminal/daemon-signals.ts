/** Owns the shutdown of a daemon: the first signal requests a stop, the second one ends the process at once. */
import { EXIT } from '../../model/error-row.js'

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const
type StopSignal = (typeof STOP_SIGNALS)[number]

/** Exit codes of a process ended by a signal, in the convention of shells. */
const EXIT_OF = { SIGTERM: 143, SIGINT: 130 } as const

/**
 * End the process by the default action of a signal: `process.exit` waits for threads, which a pipe or a disk may block
 * forever.
 */
export function endBy(signal: StopSignal | 'SIGKILL'): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  // The first process of a container has no default action.
  process.exit(signal === 'SIGKILL' ? EXIT.failed : EXIT_OF[signal])
}

/**
 * Call back at the first signal; the next one ends the process, even if it arrives while the process is too busy for
 * the callback.
 */
export function onStopSignal(stop: (signal: StopSignal) => void): void {
  let asked = false
  const listener = (signal: StopSignal): void => {
    if (asked) return endBy(signal)
    asked = true
    // Another signal may have arrived in this turn of the loop; from the next turn on the system acts on it.
    if (process.pid !== 1) setImmediate(() => STOP_SIGNALS.forEach((each) => void process.removeAllListeners(each)))
    stop(signal)
  }
  for (const signal of STOP_SIGNALS) process.on(signal, listener)
}
