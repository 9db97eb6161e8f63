/** Owns the metrics of live telemetry. */
import { defineMetrics } from '../../../api/metrics.js'

export const telemetryMetrics = defineMetrics(({ gauge }) => ({
  gateways: gauge('telemetry_gateways', 'Gateways that this node watches, by whether it is connected', ['state']),
  spread: gauge(
    'telemetry_block_spread_ms',
    'Time from the first to the last watched gateway that told of the newest block, in ms; with two of them',
  ),
}))
