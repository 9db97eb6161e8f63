/** Owns the metrics of webhooks. */
import { defineMetrics } from '../../../api/metrics.js'

export const webhookMetrics = defineMetrics(({ counter, gauge }) => ({
  deliveries: counter('webhook_deliveries_total', 'Webhook attempts by result; dead: events given up', ['result']),
  lag: gauge('webhook_lag_blocks', 'Blocks by which the slowest webhook is behind the chain'),
}))
