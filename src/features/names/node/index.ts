/** Names on a node: what is more than a query. */
import { defineService } from '../../service.js'
import { nameSchema } from '../schema/index.js'

export const nameService = defineService(nameSchema, {
  open: async () => {
    const { nameHandlers } = await import('./handlers.js')
    return { handlers: nameHandlers }
  },
})
