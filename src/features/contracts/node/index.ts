/** Contracts on a node: routes beyond queries, and the event stream. */
import { defineService } from '../../service.js'
import { contractSchema } from '../schema/index.js'

export const contractService = defineService(contractSchema, {
  async open() {
    const [{ contractHandlers }, { contractStreams }] = await Promise.all([
      import('./handlers.js'),
      import('./streams.js'),
    ])
    return { handlers: contractHandlers, streams: contractStreams }
  },
})
