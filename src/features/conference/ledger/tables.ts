/** Owns the tables of conferences. Calls and nullifiers are permanent: an id is used once, a nullifier counts once. */
import { bytes, hash32, type Infer, list, option, type Schema, struct, u32, u64, varint } from '../../../codec/index.js'
import { type AccountId, accountId, domainId, incarnation, type Metadata } from '../../../model/index.js'
import type { TableDef } from '../../../state/index.js'
import {
  ALLOW_LIST_MAX,
  bandwidthClass,
  type Call,
  call,
  callDescription,
  callMetadata,
  conferenceId,
  hpkeKey,
  type NullifierStatus,
  nullifierStatus,
  type RelayManifest,
  RING_MAX,
  ROOTS_KEPT,
  relayManifest,
  type Seat,
  SIGNAL_MAX_BYTES,
  seat,
  signalKind,
} from '../schema/records.js'
import { type RelayTotals, relayCounters, relayReport, relayTotals } from '../schema/views.js'

const ofCall = <V>(
  id: number,
  name: string,
  value: Schema<V>,
  bound: TableDef<string, V>['bound'],
): TableDef<string, V> => ({ id, name: `conference_${name}`, bound, key: conferenceId, value })

export const calls: TableDef<string, Call> = ofCall(500, 'calls', call, {
  holds: 'the settings and counters of one call',
  filledBy: 'CreateConference',
  atBound: 'stays: an id is used once',
})
export const descriptions: TableDef<string, string> = ofCall(501, 'descriptions', callDescription, {
  holds: '2 KiB',
  filledBy: 'CreateConference',
  atBound: 'stays with its call',
})
export const callMetadataRows: TableDef<string, Metadata> = ofCall(502, 'metadata', callMetadata, {
  holds: '16 KiB',
  filledBy: 'CreateConference',
  atBound: 'stays with its call',
})
export const manifests: TableDef<string, RelayManifest> = ofCall(503, 'manifests', relayManifest, {
  holds: '16 hops',
  filledBy: 'SetConferenceRelayManifest, CreateConference',
  atBound: 'the next one replaces it; leaves when it is cleared',
})
export const rosters: TableDef<string, readonly Seat[]> = ofCall(506, 'rosters', list(seat, RING_MAX), {
  holds: '256 seats',
  filledBy: 'JoinConference',
  atBound: '`conference_full`; a seat leaves with its member',
})
export const roots: TableDef<string, readonly Uint8Array[]> = ofCall(507, 'roots', list(hash32, ROOTS_KEPT), {
  holds: '64 roots',
  filledBy: 'joins and leaves',
  atBound: 'the oldest leaves',
})
export const admissions: TableDef<string, readonly Uint8Array[]> = ofCall(509, 'admissions', list(hash32, RING_MAX), {
  holds: '256 keys',
  filledBy: 'AdmitConferenceMembers',
  atBound: '`conference_admission_full`; keys stay',
})

const participantKey = struct('ConferenceParticipantKey', { call: conferenceId, account: accountId })
export const participants: TableDef<Infer<typeof participantKey>, { readonly joinedAtMs: number }> = {
  id: 504,
  name: 'conference_participants',
  bound: {
    holds: 'a time',
    filledBy: 'JoinConference',
    atBound: '1,000 a call: `conference_full`; leaves with its member',
  },
  key: participantKey,
  value: struct('ConferenceParticipant', { joinedAtMs: varint }),
}

const usageKey = struct('ConferenceUsageKey', { call: conferenceId, segment: u32 })
const usageRow = struct('ConferenceUsage', {
  durationMs: u64,
  billedGas: u64,
  commitment: option(hash32),
  atMs: varint,
})
export const usages: TableDef<Infer<typeof usageKey>, Infer<typeof usageRow>> = {
  id: 505,
  name: 'conference_usage',
  bound: { holds: 'one segment', filledBy: 'RecordConferenceUsage', atBound: 'stays with its call' },
  key: usageKey,
  value: usageRow,
}

const nullifierKey = struct('ConferenceNullifierKey', { call: conferenceId, nullifier: hash32 })
export const nullifiers: TableDef<Infer<typeof nullifierKey>, NullifierStatus> = {
  id: 508,
  name: 'conference_nullifiers',
  bound: { holds: 'one word', filledBy: 'private joins and leaves', atBound: 'stays: it counts once' },
  key: nullifierKey,
  value: nullifierStatus,
}

export interface SignalKey extends Infer<typeof signalKey> {}
const signalKey = struct('ConferenceSignalKey', { call: conferenceId, index: u32 })
export interface SignalRow extends Infer<typeof signalRow> {}
const signalRow = struct('ConferenceSignal', {
  kind: signalKind,
  body: bytes(SIGNAL_MAX_BYTES),
  atMs: varint,
  from: option(accountId),
  commitment: option(hash32),
})
export const signals: TableDef<SignalKey, SignalRow> = {
  id: 510,
  name: 'conference_signals',
  bound: {
    holds: '4 KiB',
    filledBy: 'PostConferenceSignal',
    atBound: '10,000 a call; the oldest leaves',
  },
  key: signalKey,
  value: signalRow,
}

export interface RelayRow extends Infer<typeof relayRow> {}
const relayRow = struct('ConferenceRelay', {
  domain: domainId,
  /** Incarnation of the domain in which the relay registered; a later domain of the same name does not have it. */
  home: incarnation,
  hpkePublicKey: hpkeKey,
  bandwidthClass,
  lastReport: option(relayReport),
  counters: relayCounters,
})
export const relays: TableDef<AccountId, RelayRow> = {
  id: 511,
  name: 'conference_relays',
  bound: {
    holds: 'one relay and its last report',
    filledBy: 'RegisterConferenceRelay',
    atBound: 'one an account; stays',
  },
  key: accountId,
  value: relayRow,
}
export const relayAllow: TableDef<string, readonly AccountId[]> = {
  id: 512,
  name: 'conference_relay_allow',
  bound: { holds: '256 accounts', filledBy: 'SetConferenceRelayAllowList', atBound: 'leaves when the list is cleared' },
  key: domainId,
  value: list(accountId, ALLOW_LIST_MAX),
}
export const relayTotalsRows: TableDef<string, RelayTotals> = {
  id: 513,
  name: 'conference_relay_totals',
  bound: { holds: 'eight figures', filledBy: 'relays of a domain', atBound: 'one a domain; stays' },
  key: domainId,
  value: relayTotals,
}

export const CONFERENCE_TABLE_LIST = [
  calls,
  descriptions,
  callMetadataRows,
  manifests,
  participants,
  usages,
  rosters,
  roots,
  nullifiers,
  admissions,
  signals,
  relays,
  relayAllow,
  relayTotalsRows,
]
