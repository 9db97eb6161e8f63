/** Owns the events of conferences and their relays. */
import { hash32, option, struct, u32, u64, varint } from '../../../codec/index.js'
import {
  aboutObjects,
  accountId,
  accountParty,
  defineEvent,
  domainId,
  type EventSubject,
} from '../../../model/index.js'
import { CONFERENCE_EVENTS as ID } from './ids.js'
import { bandwidthClass, conferenceId, privacyMode, relayHealth, signalKind } from './records.js'

const conference: EventSubject<{ readonly call: string }> = {
  subject: 'conference',
  about: ({ call }) => aboutObjects(call),
}

export const conferenceRosterSummary = defineEvent(
  ID.conferenceRosterSummary,
  'conferenceRosterSummary',
  struct('ConferenceRosterSummary', {
    call: conferenceId,
    privacyMode,
    /** Of transparent calls. */
    participantCount: option(u32),
    commitmentCount: u32,
    nullifierCount: u32,
    rosterRoot: option(hash32),
  }),
  conference,
)
export const conferenceUsageSummary = defineEvent(
  ID.conferenceUsageSummary,
  'conferenceUsageSummary',
  struct('ConferenceUsageSummary', { call: conferenceId, totalDurationMs: u64, totalBilledGas: u64, segments: u32 }),
  conference,
)
/** A manifest was set, or cleared: then both figures are 0. */
export const conferenceRelayManifestUpdated = defineEvent(
  ID.conferenceRelayManifestUpdated,
  'conferenceRelayManifestUpdated',
  struct('ConferenceRelayManifestUpdated', { call: conferenceId, hopCount: u32, expiryMs: varint }),
  conference,
)
export const conferenceRelayHealthUpdated = defineEvent(
  ID.conferenceRelayHealthUpdated,
  'conferenceRelayHealthUpdated',
  struct('ConferenceRelayHealthUpdated', {
    call: conferenceId,
    relayId: accountId,
    status: relayHealth,
    reportedAtMs: varint,
  }),
  {
    subject: 'conference_relay',
    about: ({ call, relayId }) => ({ objects: [call], parties: [accountParty(relayId)] }),
  },
)
export const conferenceRelayRegistered = defineEvent(
  ID.conferenceRelayRegistered,
  'conferenceRelayRegistered',
  struct('ConferenceRelayRegistered', {
    domain: domainId,
    relayId: accountId,
    bandwidthClass,
    hpkeFingerprint: hash32,
  }),
  {
    subject: 'conference_relay',
    about: ({ domain, relayId }) => ({ objects: [domain], parties: [accountParty(relayId)] }),
  },
)
export const conferenceAdmissionUpdated = defineEvent(
  ID.conferenceAdmissionUpdated,
  'conferenceAdmissionUpdated',
  struct('ConferenceAdmissionUpdated', { call: conferenceId, admissionCount: u32, admissionRoot: hash32 }),
  conference,
)
export const conferenceSignalPosted = defineEvent(
  ID.conferenceSignalPosted,
  'conferenceSignalPosted',
  struct('ConferenceSignalPosted', { call: conferenceId, kind: signalKind, index: u32 }),
  conference,
)
export const conferenceEnded = defineEvent(
  ID.conferenceEnded,
  'conferenceEnded',
  struct('ConferenceEnded', { call: conferenceId, endedAtMs: varint }),
  conference,
)

export const CONFERENCE_EVENT_LIST = [
  conferenceRosterSummary,
  conferenceUsageSummary,
  conferenceRelayManifestUpdated,
  conferenceRelayHealthUpdated,
  conferenceRelayRegistered,
  conferenceAdmissionUpdated,
  conferenceSignalPosted,
  conferenceEnded,
]
