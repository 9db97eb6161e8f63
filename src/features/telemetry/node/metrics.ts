/** Owns the metrics of live telemetry. */
import { defineMetrics } from '../../../api/metrics.js'

export const telemetryMetrics = defineMetrics(({ gauge }) => ({
  gateways: gauge('telemetry_gateways', 'Watched gateways, by connection state', ['state']),
  spread: gauge(
    'telemetry_block_spread_ms',
    'Time between the first and the last watched gateway that reported the newest block, in ms; with at least two gateways',
  ),
}))
