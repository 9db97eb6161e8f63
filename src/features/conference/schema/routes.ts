/** Owns the routes of calls and relays (specification 4.3). */

import { word } from '../../../api/enum-text.js'
import { pageFields, pageParameters } from '../../../api/paging.js'
import { accountText } from '../../../api/query-inputs.js'
import { defineRoute, publicRead } from '../../../api/route.js'
import { hash32, option, struct, varint } from '../../../codec/index.js'
import { domainId } from '../../../model/index.js'
import { conferenceId, signalKind } from './records.js'
import * as views from './views.js'
import { queries } from './views.js'

const path_ = struct('ConferencePath', { id: conferenceId })
type ById = { readonly params: { readonly id: string } }
const noCall = ({ params }: ById): string => `call ${params.id} does not exist`

const callsParameters_ = struct('ConferenceCallsParameters', {
  domain: option(domainId),
  status: option(word('ConferenceStatusWord', ['active', 'ended'])),
  ...pageFields,
})
const admissionParameters_ = struct('ConferenceAdmissionParameters', { nullifier: option(hash32) })
const signalsParameters_ = struct('ConferenceSignalsParameters', {
  afterMs: option(varint),
  kind: option(signalKind),
  ...pageFields,
})

export const callsRoute = defineRoute({
  ...publicRead,
  id: 'conference.calls',
  path: '/v1/conference/calls',
  summary: 'Calls in the order of their ids, optionally of one domain or status',
  query: callsParameters_,
  response: views.callPage,
}).byPage(queries.conferenceCalls, ({ query }) => ({
  domain: query.domain,
  status: query.status,
}))

export const callRoute = defineRoute({
  ...publicRead,
  id: 'conference.call',
  path: '/v1/conference/calls/{id}',
  summary: 'A call: its policy, counters, description, metadata and relay manifest',
  params: path_,
  response: views.callView,
}).byQuery(queries.conferenceCall, ({ params }) => params, noCall)

export const admissionRoute = defineRoute({
  ...publicRead,
  id: 'conference.admission',
  path: '/v1/conference/calls/{id}/admission',
  summary: 'Inputs for proofs about a private call: admitted keys, seats, their roots, and the state of a nullifier',
  params: path_,
  query: admissionParameters_,
  response: views.admissionView,
}).byQuery(queries.conferenceAdmission, ({ params, query }) => ({ ...params, ...query }), noCall)

export const signalsRoute = defineRoute({
  ...publicRead,
  id: 'conference.signals',
  path: '/v1/conference/calls/{id}/signals',
  summary: 'Signals of a call in their order, optionally after a time or of one kind',
  params: path_,
  query: signalsParameters_,
  errors: ['not_found'],
  response: views.signalPage,
}).byPage(
  queries.conferenceSignals,
  ({ params, query }) => ({
    id: params.id,
    afterMs: query.afterMs,
    kind: query.kind,
  }),
  noCall,
)

const telemetry = { ...publicRead, profile: 'metrics' } as const
const relayPath_ = struct('ConferenceRelayPath', { relayId: accountText })

export const relaysRoute = defineRoute({
  ...telemetry,
  id: 'conference.relays',
  path: '/v1/conference/relays',
  summary: 'Registered relays, each with its last report',
  query: pageParameters,
  response: views.relayPage,
}).byPage(queries.conferenceRelays)

export const countsRoute = defineRoute({
  ...telemetry,
  id: 'conference.counts',
  path: '/v1/conference/counts',
  summary:
    'Active calls, and counts of instructions, proofs, manifests and reports in blocks of this node; names no call',
  response: views.countsView,
}).byQuery(queries.conferenceCounts, () => ({}))

export const relayHealthRoute = defineRoute({
  ...telemetry,
  id: 'conference.relays.health',
  path: '/v1/conference/relays/health',
  summary: 'Relays by their last report, with reports, registrations and failovers, in total and by domain',
  response: views.relayHealthView,
}).byQuery(queries.conferenceRelayHealth, () => ({}))

export const relayRoute = defineRoute({
  ...telemetry,
  id: 'conference.relay',
  path: '/v1/conference/relays/{relay_id}',
  summary: 'A relay: its key, its last report, its counters',
  params: relayPath_,
  accounts: { relayId: 'id' },
  response: views.relayView,
}).byQuery(
  queries.conferenceRelay,
  ({ accounts }) => accounts,
  ({ params }) => `relay ${params.relayId} does not exist`,
)
