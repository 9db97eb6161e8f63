/** Owns the sources of the call and relay streams: the events of each block, and the filter of a reader. */

import type { NodeServices } from '../../../api/services.js'
import { eventsAt, type StreamSource, streamItems } from '../../../api/stream-source.js'
import { type DataEvent, isEvent } from '../../../model/index.js'
import { events } from '../schema/events.js'
import { splitConferenceId } from '../schema/records.js'
import {
  type CallEvent,
  type CallEventKind,
  callEvent,
  callStream,
  type RelayEvent,
  relayEvent,
  relayStream,
} from '../schema/streams.js'

const CALL_KINDS: ReadonlyMap<string, CallEventKind> = new Map([
  [events.conferenceRosterSummary.kind, 'roster_updated'],
  [events.conferenceUsageSummary.kind, 'usage'],
  [events.conferenceRelayManifestUpdated.kind, 'manifest'],
  [events.conferenceSignalPosted.kind, 'signal'],
  [events.conferenceEnded.kind, 'ended'],
])

async function callEvents(services: NodeServices, height: number): Promise<CallEvent[]> {
  return (await eventsAt(services, height)).flatMap((event) => {
    const kind = CALL_KINDS.get(event.kind)
    return kind === undefined ? [] : [{ kind, call: (event.value as { readonly call: string }).call, height, event }]
  })
}

/** Relay event of a ledger event; undefined if it is not about relays. */
function relayEventOf(event: DataEvent, height: number): RelayEvent | undefined {
  if (isEvent(event, events.conferenceRelayRegistered)) {
    const { domain, relayId } = event.value
    return { kind: 'registration', domain, relayId, height, event }
  }
  if (isEvent(event, events.conferenceRelayHealthUpdated)) {
    const { call, relayId } = event.value
    return { kind: 'health', domain: splitConferenceId(call).domain, relayId, height, event }
  }
  if (isEvent(event, events.conferenceRelayManifestUpdated)) {
    const { call } = event.value
    return { kind: 'manifest', domain: splitConferenceId(call).domain, relayId: undefined, height, event }
  }
  return undefined
}

async function relayEvents(services: NodeServices, height: number): Promise<RelayEvent[]> {
  return (await eventsAt(services, height)).flatMap((event) => relayEventOf(event, height) ?? [])
}

/** Sources by route id. */
export const conferenceStreams: ReadonlyMap<string, StreamSource> = new Map([
  streamItems(callStream, {
    event: 'conference.call',
    schema: callEvent,
    read: callEvents,
    wanted({ params: { id }, query: { kind } }) {
      return (item: CallEvent) => item.call === id && (kind === undefined || item.kind === kind)
    },
  }),
  streamItems(relayStream, {
    event: 'conference.relay',
    schema: relayEvent,
    read: relayEvents,
    wanted({ query: { domain, kind }, accounts: { relay } }) {
      return (item: RelayEvent) =>
        (domain === undefined || item.domain === domain) &&
        (relay === undefined || item.relayId === relay) &&
        (kind === undefined || item.kind === kind)
    },
  }),
])
