/** Permissions on a node: the routes that are more than a query. */
import { defineService } from '../../service.js'
import { permissionSchema } from '../schema/index.js'

export const permissionService = defineService(permissionSchema, {
  open: async () => ({ handlers: (await import('./handlers.js')).permissionHandlers }),
})
