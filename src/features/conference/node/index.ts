/** Conferences on a node: the routes that are more than a query, what happens as streams, and what is counted. */
import { defineService } from '../../service.js'
import { conferenceSchema } from '../schema/index.js'
import { conferenceMetrics } from './metrics.js'

export const conferenceService = defineService(conferenceSchema, {
  metrics: conferenceMetrics,
  async open({ services, logger }) {
    const [{ conferenceHandlers }, { conferenceStreams }, { keepFigures }] = await Promise.all([
      import('./handlers.js'),
      import('./streams.js'),
      import('./figures.js'),
    ])
    const stop = keepFigures(services, logger)
    return { handlers: conferenceHandlers, streams: conferenceStreams, close: async () => stop() }
  },
})
