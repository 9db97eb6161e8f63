/** Owns the drafts of real-world assets, the list with a filter in the body, and the source of their stream. */
import { answerPage } from '../../api/answers.js'
import { type AnyHandler, handle } from '../../api/handler.js'
import type { NodeServices } from '../../api/services.js'
import { eventsOfKinds, type StreamSource, streamItems } from '../../api/stream-source.js'
import type { AccountId, EventParty } from '../../model/index.js'
import { draftHandlers } from '../drafts.js'
import { defineService } from '../service.js'
import { events } from './schema/events.js'
import { rwaSchema } from './schema/index.js'
import { draftRoutes, type LotsRequest, queryRoute } from './schema/routes.js'
import { eventStream, type RwaStreamed, rwaStreamed } from './schema/streams.js'
import { type LotsQuery, queries } from './schema/views.js'

type Query = {
  readonly services: NodeServices
  readonly body: LotsRequest
  readonly accounts: { readonly holder: AccountId | undefined }
}

const query = ({ services, body, accounts: { holder } }: Query) => {
  const filter: Omit<LotsQuery, 'limit' | 'after'> = {
    class: body.class,
    holder,
    reference: undefined,
    frozen: undefined,
  }
  return answerPage(services, queries.rwaLots, body, filter, 'the account does not exist')
}

const handlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(queryRoute, query),
  ...draftHandlers(draftRoutes),
])

const KINDS = new Map(Object.values(events).map((event) => [event.kind, event]))
const aboutOf = ({ event }: RwaStreamed) => KINDS.get(event.kind)?.about?.(event.value as never)
const isOf = (account: AccountId) => (party: EventParty) => party.kind === 'account' && party.value === account

const streams: ReadonlyMap<string, StreamSource> = new Map([
  streamItems(eventStream, {
    event: 'rwa.event',
    schema: rwaStreamed,
    read: (services, height) => eventsOfKinds(services, height, KINDS),
    wanted({ query: { class: definition, lot }, accounts: { account } }) {
      return (item: RwaStreamed) => {
        const { objects = [], parties = [] } = aboutOf(item) ?? {}
        return (
          (definition === undefined || objects.includes(definition)) &&
          (lot === undefined || objects.includes(lot)) &&
          (account === undefined || parties.some(isOf(account)))
        )
      }
    },
  }),
])

export const rwaService = defineService(rwaSchema, { open: () => ({ handlers, streams }) })
