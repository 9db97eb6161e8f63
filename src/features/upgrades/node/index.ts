/** Runtime upgrades on a node: the routes that are more than a query. */
import { defineService } from '../../service.js'
import { upgradeSchema } from '../schema/index.js'

export const upgradeService = defineService(upgradeSchema, {
  open: async () => ({ handlers: (await import('./handlers.js')).upgradeHandlers }),
})
