/** Names on a node: handlers beyond queries. */
import { defineService } from '../../service.js'
import { nameSchema } from '../schema/index.js'

export const nameService = defineService(nameSchema, {
  open: async () => {
    const [{ aliasHandlers }, { nameHandlers }] = await Promise.all([import('./aliases.js'), import('./handlers.js')])
    return { handlers: new Map([...aliasHandlers, ...nameHandlers]) }
  },
})
