/** Lanes on a node: the routes that are more than a query. */
import { defineService } from '../../service.js'
import { laneSchema } from '../schema/index.js'

export const laneService = defineService(laneSchema, {
  open: async () => ({ handlers: (await import('./handlers.js')).laneHandlers }),
})
