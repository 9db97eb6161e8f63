/** Packages on a node: handlers beyond queries. */
import { defineService } from '../../service.js'
import { registrySchema } from '../schema/index.js'

export const registryService = defineService(registrySchema, {
  open: async () => ({ handlers: (await import('./handlers.js')).registryHandlers }),
})
