/** Owns the drafts of repos, their stream, and the list of agreements with a filter in the body. */
import { answerPage } from '../../api/answers.js'
import { type AnyHandler, handle } from '../../api/handler.js'
import type { NodeServices } from '../../api/services.js'
import { eventsOfKinds, type StreamSource, streamItems } from '../../api/stream-source.js'
import type { DataEvent } from '../../model/index.js'
import { draftHandlers } from '../drafts.js'
import { defineService } from '../service.js'
import { events } from './schema/events.js'
import { repoSchema } from './schema/index.js'
import * as routes from './schema/routes.js'
import { queries } from './schema/views.js'

const repoHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  ...draftHandlers(routes.draftRoutes),
  handle(routes.agreementsQueryRoute, ({ services, body, accounts: { party } }) => {
    const { limit, cursor, status, reference } = body
    return answerPage(services, queries.repos, { limit, cursor, offset: undefined }, { party, status, reference })
  }),
])

const KINDS: ReadonlySet<string> = new Set(Object.values(events).map(({ kind }) => kind))

/** True if an event is about an agreement. */
const isAbout = ({ value }: DataEvent, agreement: Uint8Array): boolean => {
  const { id } = value as { readonly id?: Uint8Array }
  return id !== undefined && Buffer.compare(id, agreement) === 0
}

const repoStreams: ReadonlyMap<string, StreamSource> = new Map([
  streamItems(routes.eventStream, {
    event: 'repo.event',
    schema: routes.streamedEvent,
    read: (services, height) => eventsOfKinds(services, height, KINDS),
    wanted({ query: { agreement } }) {
      return ({ event }: routes.StreamedRepoEvent) => agreement === undefined || isAbout(event, agreement)
    },
  }),
])

export const repoService = defineService(repoSchema, {
  open: () => ({ handlers: repoHandlers, streams: repoStreams }),
})
