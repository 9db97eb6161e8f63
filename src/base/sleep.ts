/** Owns waiting for a time. */

/** How a sleep may end early, and whether the process waits for it. */
export interface SleepOptions {
  /** Ends the sleep when it is aborted. */
  readonly signal?: AbortSignal | undefined
  /** False where the process may end before the sleep does; true by default. */
  readonly ref?: boolean
}

/**
 * Resolves after `ms` milliseconds, or when the signal is aborted, whichever is first; at once if it already is. Never rejects, and
 * leaves no timer and no listener behind.
 */
export function sleep(ms: number, { signal, ref = true }: SleepOptions = {}): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    if (!ref) timer.unref()
    signal?.addEventListener('abort', done)
  })
}
