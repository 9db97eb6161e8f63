/** Owns the run of a sink, which follows the chain and resumes after a fault of the database or the gateway. */
import { sleep } from '../base/sleep.js'
import type { CausewayClient } from '../client/index.js'
import { type ErrorCode, LedgerError } from '../model/index.js'
import { type Followed, follow } from './follower.js'
import type { Naming } from './ledger-rows.js'
import type { SinkMetrics } from './metrics.js'
import type { Warehouse } from './warehouse.js'

/** Pause before the next attempt, in ms: doubled each time, up to the second value. */
const PAUSE_FIRST_MS = 500
const PAUSE_LAST_MS = 30_000
/** Interval of queries for the height of the chain, in ms. */
const LOOK_MS = 2_000

/** Transient errors, after which another attempt is made. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set([
  'sink_unavailable',
  'unreachable',
  'request_timeout',
  'node_starting',
  'node_stopping',
])

export interface SinkRun {
  readonly client: CausewayClient
  readonly naming: Naming
  /** Opens the database; an aborted signal ends pending waits for it. */
  readonly open: (signal: AbortSignal) => Promise<Warehouse>
  /** True to end at the initial height of the chain, or with the first error. */
  readonly once: boolean
  readonly metrics: SinkMetrics
  readonly signal: AbortSignal
  /** Called after a batch is written; `chain`: last reported height of the chain. */
  readonly onBatch: (followed: Followed, chain: number) => void
  readonly onFault: (error: LedgerError) => void
}

/**
 * Run until the signal is aborted or, with `once`, until the chain is written; returns the height of the last written
 * block.
 */
export async function runSink(run: SinkRun): Promise<number> {
  const { client, naming, open, once, metrics, signal, onBatch, onFault } = run
  let chain = await client.height()
  metrics.chain(chain)
  let height = 0
  let wait = PAUSE_FIRST_MS
  const look = setInterval(() => {
    client.height().then(
      (height) => {
        chain = Math.max(chain, height)
        metrics.chain(chain)
      },
      // The stream of blocks reports the error too.
      () => undefined,
    )
  }, LOOK_MS)
  try {
    for (let hasWritten = false; ; ) {
      let warehouse: Warehouse | undefined
      try {
        warehouse = await open(signal)
        height = (await warehouse.cursor())?.height ?? 0
        // The next block of an idle chain may be hours away.
        metrics.written(height, 0)
        await follow({
          client,
          warehouse,
          naming,
          until: once ? chain : undefined,
          signal,
          onBatch: (followed) => {
            hasWritten = true
            wait = PAUSE_FIRST_MS
            height = followed.height
            chain = Math.max(chain, height)
            metrics.written(height, followed.rows)
            onBatch(followed, chain)
          },
        })
        return height
      } catch (error) {
        if (signal.aborted) return height
        if (!(error instanceof LedgerError) || once || !hasWritten || !TRANSIENT.has(error.code)) throw error
        if (error.code === 'sink_unavailable') metrics.down()
        onFault(error)
        await sleep(wait, { signal })
        wait = Math.min(2 * wait, PAUSE_LAST_MS)
        if (signal.aborted) return height
      } finally {
        await warehouse?.close()
      }
    }
  } finally {
    clearInterval(look)
  }
}
