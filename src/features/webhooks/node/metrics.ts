/** Owns the metrics of webhooks. */
import { defineMetrics } from '../../../api/metrics.js'

export const webhookMetrics = defineMetrics(({ counter, gauge }) => ({
  deliveries: counter('webhook_deliveries_total', 'Attempts of webhooks by result; dead: events given up', ['result']),
  lag: gauge('webhook_lag_blocks', 'Blocks that the webhook furthest behind is behind the chain'),
}))
