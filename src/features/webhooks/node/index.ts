/** Webhooks on a node. */
import { defineService } from '../../service.js'
import { webhookSchema } from '../schema.js'
import { webhookConfig } from './config.js'
import { webhookMetrics } from './metrics.js'

export const webhookService = defineService(webhookSchema, {
  config: webhookConfig,
  metrics: webhookMetrics,
  open: async (context, config) => (await import('./open.js')).openWebhooks(context, config),
})
