/** The explorer on a node: the routes that are more than a query. */
import { defineService } from '../../service.js'
import { explorerSchema } from '../schema/index.js'

export const explorerService = defineService(explorerSchema, {
  open: async () => ({ handlers: (await import('./handlers.js')).explorerHandlers }),
})
