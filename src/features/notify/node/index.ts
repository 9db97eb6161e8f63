/** Notifications on a node. */
import { defineService } from '../../service.js'
import { notifySchema } from '../schema.js'
import { notifyConfig } from './config.js'
import { notifyMetrics } from './metrics.js'

export const notifyService = defineService(notifySchema, {
  config: notifyConfig,
  metrics: notifyMetrics,
  open: async (context, config) =>
    config.enabled ? (await import('./open.js')).openNotify(context, config) : undefined,
})
