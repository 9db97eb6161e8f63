/** Traces of a node. */
import { defineService } from '../../service.js'
import { traceSchema } from '../schema.js'
import { traceConfig } from './config.js'
import { traceMetrics } from './metrics.js'

export const traceService = defineService(traceSchema, {
  config: traceConfig,
  metrics: traceMetrics,
  // The libraries are loaded only if traces are enabled.
  open: async (context, config) =>
    config.endpoint === undefined
      ? undefined
      : (await import('./open.js')).openTraces(context, config.endpoint, config.samplePerMille),
})
