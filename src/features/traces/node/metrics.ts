/** Owns the metrics of traces. */
import { defineMetrics } from '../../../api/metrics.js'

export const traceMetrics = defineMetrics(({ counter }) => ({
  spans: counter('trace_spans_total', 'Spans by what became of them: exported, or failed at the collector', ['result']),
  unfollowed: counter(
    'trace_transactions_unfollowed_total',
    'Transactions of the share to follow that are in no trace: too many were waiting',
  ),
}))
