/** Multisig accounts on a node: the routes that are more than a query. */
import { defineService } from '../../service.js'
import { multisigSchema } from '../schema/index.js'

export const multisigService = defineService(multisigSchema, {
  open: async () => ({ handlers: (await import('./handlers.js')).multisigHandlers }),
})
