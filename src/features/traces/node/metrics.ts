/** Owns the metrics of traces. */
import { defineMetrics } from '../../../api/metrics.js'

export const traceMetrics = defineMetrics(({ counter }) => ({
  spans: counter('trace_spans_total', 'Spans by result: exported, or failed at the collector', ['result']),
  unfollowed: counter(
    'trace_transactions_unfollowed_total',
    'Sampled transactions without a trace: too many were waiting',
  ),
}))
