/** Assets on a node: the routes that are more than a query. */
import { defineService } from '../../service.js'
import { assetSchema } from '../schema/index.js'

export const assetService = defineService(assetSchema, {
  open: async () => ({ handlers: (await import('./handlers.js')).assetHandlers }),
})
