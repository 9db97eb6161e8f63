/** Owns the queries of conferences and their views. */

import { accountCursor, numberCursor } from '../../../api/cursors.js'
import { pageOf, pageOfFields } from '../../../api/paging.js'
import { none, pageQueryFields } from '../../../api/query-inputs.js'
import { bytes, hash32, type Infer, list, option, string, struct, u32, u64, varint } from '../../../codec/index.js'
import { accountId, defineQueries, domainId } from '../../../model/index.js'
import {
  bandwidthClass,
  call,
  callDescription,
  callMetadata,
  callStatus,
  conferenceId,
  hpkeKey,
  notes,
  nullifierStatus,
  RING_MAX,
  relayHealth,
  relayManifest,
  SIGNAL_MAX_BYTES,
  seat,
  signalKind,
} from './records.js'

/** Call in a list. */
export interface CallItem extends Infer<typeof callItem> {}
const callItem = struct('ConferenceCallItem', { id: conferenceId, call })
export const callPage = pageOf('ConferenceCallPage', callItem)

/** Call with the content of its separate rows. */
export interface CallView extends Infer<typeof callView> {}
export const callView = struct('ConferenceCallView', {
  id: conferenceId,
  call,
  description: option(callDescription),
  metadata: callMetadata,
  relayManifest: option(relayManifest),
})

export interface CallsQuery extends Infer<typeof callsQuery> {}
const callsQuery = struct('ConferenceCallsQuery', {
  domain: option(domainId),
  status: option(callStatus),
  ...pageQueryFields(conferenceId),
})
export interface CallQuery extends Infer<typeof callQuery> {}
const callQuery = struct('ConferenceCallQuery', { id: conferenceId })

/** Inputs of provers for a private call. */
export interface AdmissionView extends Infer<typeof admissionView> {}
export const admissionView = struct('ConferenceAdmissionView', {
  id: conferenceId,
  /** Admitted keys in order. */
  keys: list(hash32, RING_MAX),
  admissionRoot: option(hash32),
  /** Seats in order of joins. */
  roster: list(seat, RING_MAX),
  rosterRoot: option(hash32),
  /** Status of the requested nullifier; absent: unknown to the ledger. */
  nullifier: option(nullifierStatus),
  height: varint,
})
export interface AdmissionQuery extends Infer<typeof admissionQuery> {}
const admissionQuery = struct('ConferenceAdmissionQuery', { id: conferenceId, nullifier: option(hash32) })

export interface SignalView extends Infer<typeof signalView> {}
const signalView = struct('ConferenceSignalView', {
  index: u32,
  kind: signalKind,
  body: bytes(SIGNAL_MAX_BYTES),
  atMs: varint,
  /** Present for transparent calls, and for the host. */
  from: option(accountId),
  /** Present for a member of a private call. */
  commitment: option(hash32),
})
/** Maximum signals per page: their bodies are large. */
export const SIGNAL_PAGE_MAX = 100
export const signalPage = struct('ConferenceSignalPage', pageOfFields(signalView, SIGNAL_PAGE_MAX))
export interface SignalsQuery extends Infer<typeof signalsQuery> {}
const signalsQuery = struct('ConferenceSignalsQuery', {
  id: conferenceId,
  /** Only signals after this time, in ms since the Unix epoch. */
  afterMs: option(varint),
  kind: option(signalKind),
  ...pageQueryFields(numberCursor),
})

/** Relay in a list. */
export interface RelayItem extends Infer<typeof relayItem> {}
const relayItem = struct('ConferenceRelayItem', {
  relayId: accountId,
  domain: domainId,
  bandwidthClass,
  hpkeFingerprint: hash32,
  status: option(relayHealth),
  reportedAtMs: option(varint),
})
export const relayPage = pageOf('ConferenceRelayPage', relayItem)
export interface RelaysQuery extends Infer<typeof relaysQuery> {}
const relaysQuery = struct('ConferenceRelaysQuery', pageQueryFields(accountCursor))

/** Last report about a relay. */
export const relayReport = struct('ConferenceRelayReport', {
  call: conferenceId,
  reportedBy: accountId,
  status: relayHealth,
  reportedAtMs: varint,
  notes: option(notes),
})
/** Counters of a relay or of the relays of a domain. */
export interface RelayCounters extends Infer<typeof relayCounters> {}
export const relayCounters = struct('ConferenceRelayCounters', {
  registrations: u64,
  manifestUpdates: u64,
  healthReports: u64,
  failovers: u64,
})
export interface RelayView extends Infer<typeof relayView> {}
export const relayView = struct('ConferenceRelayView', {
  relay: relayItem,
  hpkePublicKey: hpkeKey,
  lastReport: option(relayReport),
  counters: relayCounters,
})
export interface RelayQuery extends Infer<typeof relayQuery> {}
const relayQuery = struct('ConferenceRelayQuery', { relayId: accountId })

/** Relays of a domain by last report, and their counters. */
export interface RelayTotals extends Infer<typeof relayTotals> {}
export const relayTotals = struct('ConferenceRelayTotals', {
  healthy: u64,
  degraded: u64,
  unavailable: u64,
  unreported: u64,
  counters: relayCounters,
})
/** Maximum domains in a summary. */
export const DOMAINS_MAX = 500
export interface RelayHealthView extends Infer<typeof relayHealthView> {}
export const relayHealthView = struct('ConferenceRelayHealthView', {
  healthyTotal: u64,
  degradedTotal: u64,
  unavailableTotal: u64,
  unreportedTotal: u64,
  reportsTotal: u64,
  registrationsTotal: u64,
  failoversTotal: u64,
  /** First 500 domains with relays; the totals cover these. */
  domains: list(struct('ConferenceRelayDomain', { domain: domainId, totals: relayTotals }), DOMAINS_MAX),
  height: varint,
})

/** Maximum length of a counter label: a domain. */
const COUNT_WORD_BYTES = 128
/** Maximum counters in one response: more than all errors and instructions, and the first domains. */
export const COUNTS_MAX = 2_000

/** Count of a conference event in blocks. */
export interface ConferenceCount extends Infer<typeof conferenceCount> {}
const conferenceCount = struct('ConferenceCount', {
  /** `instruction`, `proof`, `manifest` or `report`. */
  what: string(16),
  /** Instruction, relation, domain or status. */
  first: string(COUNT_WORD_BYTES),
  /** Number of the error (0: approved), result of a proof, or `set` or `cleared`. */
  second: string(COUNT_WORD_BYTES),
  total: varint,
})
/** Counters of a node over its stored blocks, and the number of active calls. */
export interface CountsView extends Infer<typeof countsView> {}
export const countsView = struct('ConferenceCounts', {
  activeCalls: varint,
  counts: list(conferenceCount, COUNTS_MAX),
  height: varint,
})

export const queries = defineQueries({
  conferenceCalls: { id: 500, input: callsQuery, output: callPage },
  conferenceCall: { id: 501, input: callQuery, output: callView },
  conferenceAdmission: { id: 502, input: admissionQuery, output: admissionView },
  conferenceSignals: { id: 503, input: signalsQuery, output: signalPage },
  conferenceRelays: { id: 504, input: relaysQuery, output: relayPage, profile: 'metrics' },
  conferenceRelay: { id: 505, input: relayQuery, output: relayView, profile: 'metrics' },
  conferenceRelayHealth: { id: 506, input: none, output: relayHealthView, profile: 'metrics' },
  conferenceCounts: { id: 507, input: none, output: countsView, profile: 'metrics' },
})
