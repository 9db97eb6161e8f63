/** Accounts on a node: the routes that are more than a query. */
import { defineService } from '../../service.js'
import { accountSchema } from '../schema/index.js'

export const accountService = defineService(accountSchema, {
  open: async () => ({ handlers: (await import('./handlers.js')).accountHandlers }),
})
