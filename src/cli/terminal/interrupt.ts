/** Owns Ctrl-C in commands that print or clean up before they end. */

/** Exit code of a command that the user interrupted (docs/design/cli.md 3). */
export const INTERRUPTED = 130

/** Run work with a signal that the first Ctrl-C aborts; the second one ends the program. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt)
  try {
    return await work(stop.signal)
  } finally {
    process.off('SIGINT', interrupt)
  }
}

/** Items of a source until the signal is aborted, for input that may never arrive. */
export async function* untilInterrupted<T>(
  items: AsyncIterable<T>,
  source: { close(): void },
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  // It may have been aborted before anything was read.
  if (signal.aborted) return
  const leave = (): void => source.close()
  signal.addEventListener('abort', leave, { once: true })
  try {
    for await (const item of items) {
      if (signal.aborted) return
      yield item
    }
  } catch (error) {
    // The source was closed under its reader.
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
