/** Owns the source of the contract stream: contract events of each block. */

import type { NodeServices } from '../../../api/services.js'
import { eventsAt, type StreamSource, streamItems } from '../../../api/stream-source.js'
import { isEvent } from '../../../model/index.js'
import { eventStream, type StreamedEvent, streamedEvent } from '../schema/draft-routes.js'
import { events } from '../schema/events.js'

async function read(services: NodeServices, height: number): Promise<StreamedEvent[]> {
  return (await eventsAt(services, height)).flatMap((event) =>
    isEvent(event, events.contractEvent) ? [{ ...event.value, height }] : [],
  )
}

/** Sources by route id. */
export const contractStreams: ReadonlyMap<string, StreamSource> = new Map([
  streamItems(eventStream, {
    event: 'contract.event',
    schema: streamedEvent,
    read,
    wanted({ query: { contract, topic } }) {
      return (item: StreamedEvent) =>
        (contract === undefined || item.address === contract) && (topic === undefined || item.topic === topic)
    },
  }),
])
