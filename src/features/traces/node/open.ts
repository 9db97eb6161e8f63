/** Owns the start of traces on a node: reports about transactions, and the export of spans to the collector. */
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import { SYSTEM_CLOCKS } from '../../../base/clocks.js'
import { rejectionOf } from '../../../model/index.js'
import type { RunningService, ServiceContext } from '../../service.js'
import { Follower } from './follower.js'
import { loadTraceLibrary, type TraceLibrary } from './library.js'
import { BATCH_SPANS, BATCH_WAIT_MS, EXPORT_TIMEOUT_MS, WAITING_SPANS_MAX } from './limits.js'
import { traceMetrics } from './metrics.js'
import { Spans } from './spans.js'

/** Maximum characters of a collector's text in the log. */
const REASON_MAX_CHARACTERS = 200
/**
 * Minimum interval between two logged failures, in ms; a collector may alternate between failure and success with every
 * batch.
 */
const LOG_INTERVAL_MS = 60_000

/** Exporter that counts results and logs failures: once until it works again, and at most once a minute. */
export function counted(
  exporter: SpanExporter,
  { ExportResultCode }: Pick<TraceLibrary['core'], 'ExportResultCode'>,
  { services, logger }: Pick<ServiceContext, 'services' | 'logger'>,
  nowMs: () => number = SYSTEM_CLOCKS.monotonicMs,
): SpanExporter {
  const { spans } = traceMetrics(services.metrics)
  let failing = false
  let loggedMs = Number.NEGATIVE_INFINITY
  return {
    export: (batch, done) =>
      exporter.export(batch, (result) => {
        const isFailed = result.code !== ExportResultCode.SUCCESS
        spans.inc({ result: isFailed ? 'failed' : 'exported' }, batch.length)
        if (isFailed && !failing && nowMs() - loggedMs >= LOG_INTERVAL_MS) {
          // The error contains the response of the collector, at any length.
          const reason = (result.error?.message ?? '').slice(0, REASON_MAX_CHARACTERS)
          logger.warn({ reason }, 'the traces collector does not accept spans; they are lost')
          loggedMs = nowMs()
          failing = true
        }
        if (!isFailed && failing) {
          logger.info({}, 'the traces collector accepts spans again')
          failing = false
        }
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}

export function openTraces(context: ServiceContext, endpoint: string, samplePerMille: number): RunningService {
  const { services, feed, logger } = context
  const library = loadTraceLibrary()
  const exporter = new library.exporter.OTLPTraceExporter({ url: endpoint, timeoutMillis: EXPORT_TIMEOUT_MS })
  const processor = new library.sdk.BatchSpanProcessor({
    exporter: counted(exporter, library.core, context),
    maxQueueSize: WAITING_SPANS_MAX,
    maxExportBatchSize: BATCH_SPANS,
    scheduledDelayMillis: BATCH_WAIT_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const { info, history } = services
  const spans = new Spans(library, processor, {
    'service.name': 'causeway',
    'service.version': info.version,
    'service.instance.id': info.networkKey,
    'causeway.chain': info.chain,
  })
  const { unfollowed } = traceMetrics(services.metrics)
  const { wallMs } = SYSTEM_CLOCKS
  const follower = new Follower({ spans, samplePerMille, wallMs, onUnfollowed: () => unfollowed.inc({}) })

  const exportTraces = async (height: number, atMs: number): Promise<void> => {
    const [block] = await feed.from(height)
    if (block?.height !== height) return
    for (const { transactionId, outcome } of block.results) {
      const refused = rejectionOf(outcome)
      const rejection = refused && (history.errorName(refused.code) ?? String(refused.code))
      follower.committed({ hash: transactionId, height, rejection }, atMs)
    }
  }
  const ends = [
    history.onPending(({ hash, status, lane, atMs }) => {
      if (status === 'queued') follower.queued(hash, atMs, lane)
      else follower.expired(hash, atMs)
    }),
    services.onCommit((height) => {
      follower.sweep()
      if (follower.isIdle) return
      exportTraces(height, wallMs()).catch((error: unknown) =>
        logger.error({ err: error, height }, 'a block has no trace'),
      )
    }),
  ]
  return {
    tracer: follower,
    async close() {
      for (const end of ends) end()
      await spans.close().catch((error: unknown) => {
        const reason = String(error).slice(0, REASON_MAX_CHARACTERS)
        logger.warn({ reason }, 'the last spans were not exported')
      })
    },
  }
}
