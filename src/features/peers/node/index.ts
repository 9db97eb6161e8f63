/** Peers and consensus on a node: the reads that are more than a query. */
import { defineService } from '../../service.js'
import { peerSchema } from '../schema/index.js'

export const peerService = defineService(peerSchema, {
  open: async () => ({ handlers: (await import('./handlers.js')).peerHandlers }),
})
