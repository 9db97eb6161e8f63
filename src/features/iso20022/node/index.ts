/** Owns the bridge as a service of a node: its configuration, metrics and start. */
import { defineService } from '../../service.js'
import { isoMetrics } from '../bridge/metrics.js'
import { isoSchema } from '../schema/index.js'
import { isoConfig } from './config.js'

export const isoService = defineService(isoSchema, {
  config: isoConfig,
  metrics: isoMetrics,
  open: async (context, config) => (await import('./open.js')).openBridge(context, config),
})
