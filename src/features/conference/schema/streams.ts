/** Owns the streams of calls and relays: events of the ledger under short names. */
import { word } from '../../../api/enum-text.js'
import { accountText } from '../../../api/query-inputs.js'
import { defineStream } from '../../../api/route.js'
import { gap, startFields } from '../../../api/schema/stream.js'
import { sseOf } from '../../../api/streams.js'
import { type Infer, option, struct, varint } from '../../../codec/index.js'
import { accountId, dataEvent, domainId } from '../../../model/index.js'
import { conferenceId } from './records.js'

/** Kinds of call events. */
const callEventKind = word('ConferenceCallEventKind', ['roster_updated', 'usage', 'manifest', 'signal', 'ended'])
export type CallEventKind = Infer<typeof callEventKind>
export interface CallEvent extends Infer<typeof callEvent> {}
export const callEvent = struct('ConferenceCallEvent', {
  kind: callEventKind,
  call: conferenceId,
  height: varint,
  event: dataEvent,
})

/** Kinds of relay events. */
const relayEventKind = word('ConferenceRelayEventKind', ['registration', 'health', 'manifest'])
export interface RelayEvent extends Infer<typeof relayEvent> {}
export const relayEvent = struct('ConferenceRelayEvent', {
  kind: relayEventKind,
  domain: domainId,
  /** Relay of the event; absent for a manifest, which is identified by its call. */
  relayId: option(accountId),
  height: varint,
  event: dataEvent,
})

/** Filter of a reader of calls. */
const callSearch_ = struct('ConferenceCallSearch', { kind: option(callEventKind), ...startFields })
/** Filter of a reader of relays. */
const relaySearch_ = struct('ConferenceRelaySearch', {
  domain: option(domainId),
  /** Address or alias. */
  relay: option(accountText),
  kind: option(relayEventKind),
  ...startFields,
})

const sse = { method: 'GET', access: 'public', format: 'sse' } as const

export const callStream = defineStream({
  ...sse,
  id: 'conference.call.events',
  path: '/v1/conference/calls/{id}/events',
  summary: 'Events of a call, as they are committed',
  params: struct('ConferenceStreamPath', { id: conferenceId }),
  query: callSearch_,
  stream: sseOf({ 'conference.call': callEvent, gap }),
})

export const relayStream = defineStream({
  ...sse,
  id: 'conference.relays.events',
  path: '/v1/conference/relays/events',
  summary: 'Events of relays, as they are committed',
  profile: 'metrics',
  query: relaySearch_,
  accounts: { relay: 'id' },
  // The alias is unknown.
  errors: ['not_found'],
  stream: sseOf({ 'conference.relay': relayEvent, gap }),
})
