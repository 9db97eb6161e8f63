/** Live telemetry on a node. */
import { defineService } from '../../service.js'
import { telemetrySchema } from '../schema.js'
import { telemetryConfig } from './config.js'
import { telemetryMetrics } from './metrics.js'

export const telemetryService = defineService(telemetrySchema, {
  config: telemetryConfig,
  metrics: telemetryMetrics,
  open: async (context, config) => (await import('./open.js')).openTelemetry(context, config),
})
