/** Conferences on a node: the routes that are more than a query, and what happens as streams. */
import { defineService } from '../../service.js'
import { conferenceSchema } from '../schema/index.js'

export const conferenceService = defineService(conferenceSchema, {
  async open() {
    const [{ conferenceHandlers }, { conferenceStreams }] = await Promise.all([
      import('./handlers.js'),
      import('./streams.js'),
    ])
    return { handlers: conferenceHandlers, streams: conferenceStreams }
  },
})
