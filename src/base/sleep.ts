/** Owns delays: for a time, or until work has ended or timed out. */

/** Options of a sleep. */
export interface SleepOptions {
  /** Signal that ends the sleep when it is aborted. */
  readonly signal?: AbortSignal | undefined
  /** False if the process may end before the sleep; default true. */
  readonly ref?: boolean
}

/**
 * Resolve after `ms` milliseconds or when the signal is aborted, whichever is first; at once if it already is. Never
 * rejects, and leaves no timer or listener.
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

/**
 * Resolve when the work has ended or `ms` milliseconds have passed, whichever is first; reject if the work does so in
 * time.
 */
export async function inTime(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
