/** Governance on a node: handlers beyond queries, and the stream of its events. */
import { eventsOfKinds, type StreamSource, streamItems } from '../../../api/stream-source.js'
import { defineService } from '../../service.js'
import { events } from '../schema/events.js'
import { govSchema } from '../schema/index.js'
import { eventStream, type GovStreamed, govStreamed } from '../schema/routes.js'
import { govHandlers } from './handlers.js'

const KINDS: ReadonlySet<string> = new Set(Object.values(events).map(({ kind }) => kind))

const streams: ReadonlyMap<string, StreamSource> = new Map([
  streamItems(eventStream, {
    event: 'gov.event',
    schema: govStreamed,
    read: (services, height) => eventsOfKinds(services, height, KINDS),
    wanted({ query: { proposal } }) {
      return ({ event }: GovStreamed) =>
        proposal === undefined || (event.value as { readonly proposal?: number }).proposal === proposal
    },
  }),
])

export const govService = defineService(govSchema, { open: () => ({ handlers: govHandlers, streams }) })
