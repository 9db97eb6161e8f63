/** NFTs on a node: the routes that are more than a query. */
import { defineService } from '../../service.js'
import { nftSchema } from '../schema/index.js'

export const nftService = defineService(nftSchema, {
  open: async () => ({ handlers: (await import('./handlers.js')).nftHandlers }),
})
