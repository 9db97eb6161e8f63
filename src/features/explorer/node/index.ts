/** The explorer on a node: the routes that are more than a query, and its lists as streams. */
import { defineService } from '../../service.js'
import { explorerSchema } from '../schema/index.js'

export const explorerService = defineService(explorerSchema, {
  async open() {
    const [{ explorerHandlers }, { explorerStreams }] = await Promise.all([
      import('./handlers.js'),
      import('./streams.js'),
    ])
    return { handlers: explorerHandlers, streams: explorerStreams }
  },
})
