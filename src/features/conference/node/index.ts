/** Conferences on a node: streams and metrics. */
import { defineService } from '../../service.js'
import { conferenceSchema } from '../schema/index.js'
import { conferenceMetrics } from './metrics.js'

export const conferenceService = defineService(conferenceSchema, {
  metrics: conferenceMetrics,
  async open({ services, logger }) {
    const [{ conferenceStreams }, { keepFigures }] = await Promise.all([import('./streams.js'), import('./figures.js')])
    const stop = keepFigures(services, logger)
    return { streams: conferenceStreams, close: async () => stop() }
  },
})
