/**
 * Owns the endless stream over successive connections: it reconnects after a break, and passes permanent errors to the
 * caller.
 */
import { sleep } from '../../base/sleep.js'
import { type ErrorCode, LedgerError } from '../../model/index.js'

/** First delay before a new connection, in ms; doubled each time, up to the second value. */
const PAUSE_FIRST_MS = 100
const PAUSE_LAST_MS = 5_000

/** Failures that may not recur at another attempt. */
const TRANSIENT: readonly ErrorCode[] = [
  'unreachable',
  'node_starting',
  'node_stopping',
  'rate_limited',
  'request_timeout',
  'too_many_connections',
  'too_many_streams',
]

/**
 * Items of successive connections. The first call of `connect` must succeed; later ones are retried until `signal` is
 * aborted.
 *
 * @throws LedgerError if the node refuses the request, and any error of the first connection
 */
export async function* resuming<T>(
  connect: () => Promise<AsyncIterable<T>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  const stopped = (): boolean => signal?.aborted === true
  let connected = false
  let pauseMs = PAUSE_FIRST_MS
  while (!stopped()) {
    try {
      const items = await connect()
      connected = true
      for await (const item of items) {
        pauseMs = PAUSE_FIRST_MS
        yield item
      }
    } catch (error) {
      if (stopped()) return
      if (!connected || !(error instanceof LedgerError) || !TRANSIENT.includes(error.code)) throw error
    }
    // A connection ended by the signal has no error: no further one is needed.
    if (stopped()) return
    // Jitter: many readers of one node must not reconnect at once.
    await sleep(pauseMs * (0.5 + Math.random() / 2), { signal })
    pauseMs = Math.min(PAUSE_LAST_MS, pauseMs * 2)
  }
}
