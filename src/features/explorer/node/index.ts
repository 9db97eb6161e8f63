/** The explorer on a node: routes beyond queries, its lists as streams, its pages. */
import { defineService } from '../../service.js'
import { explorerSchema } from '../schema/index.js'
import { explorerConfig } from './config.js'

export const explorerService = defineService(explorerSchema, {
  config: explorerConfig,
  async open({ logger }, { enabled }) {
    const [{ explorerHandlers }, { explorerStreams }, { explorerSite }] = await Promise.all([
      import('./handlers.js'),
      import('./streams.js'),
      import('./site.js'),
    ])
    const parts = { handlers: explorerHandlers, streams: explorerStreams }
    if (!enabled) return parts
    try {
      return { ...parts, site: await explorerSite() }
    } catch (error) {
      // A node also runs if the pages were not built.
      logger.warn({ err: error }, 'the web explorer is not served: its files are missing')
      return parts
    }
  },
})
