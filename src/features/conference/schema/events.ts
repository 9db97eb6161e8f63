/** Owns the events of conferences and their relays. */
import { hash32, option, u32, u64, varint } from '../../../codec/index.js'
import {
  aboutObjects,
  accountId,
  accountParty,
  defineEvents,
  domainId,
  type EventSubject,
} from '../../../model/index.js'
import { bandwidthClass, conferenceId, privacyMode, relayHealth, signalKind } from './records.js'

const conference: EventSubject<{ readonly call: string }> = {
  subject: 'conference',
  about: ({ call }) => aboutObjects(call),
}

export const events = defineEvents({
  conferenceRosterSummary: {
    id: 500,
    record: {
      call: conferenceId,
      privacyMode,
      /** Present for transparent calls. */
      participantCount: option(u32),
      commitmentCount: u32,
      nullifierCount: u32,
      rosterRoot: option(hash32),
    },
    ...conference,
  },
  conferenceUsageSummary: {
    id: 501,
    record: { call: conferenceId, totalDurationMs: u64, totalBilledGas: u64, segments: u32 },
    ...conference,
  },
  /** A manifest was set or cleared; when cleared both figures are 0. */
  conferenceRelayManifestUpdated: {
    id: 502,
    record: { call: conferenceId, hopCount: u32, expiryMs: varint },
    ...conference,
  },
  conferenceRelayHealthUpdated: {
    id: 503,
    record: {
      call: conferenceId,
      relayId: accountId,
      status: relayHealth,
      reportedAtMs: varint,
    },
    subject: 'conference_relay',
    about: ({ call, relayId }) => ({ objects: [call], parties: [accountParty(relayId)] }),
  },
  conferenceRelayRegistered: {
    id: 504,
    record: {
      domain: domainId,
      relayId: accountId,
      bandwidthClass,
      hpkeFingerprint: hash32,
    },
    subject: 'conference_relay',
    about: ({ domain, relayId }) => ({ objects: [domain], parties: [accountParty(relayId)] }),
  },
  conferenceAdmissionUpdated: {
    id: 505,
    record: { call: conferenceId, admissionCount: u32, admissionRoot: hash32 },
    ...conference,
  },
  conferenceSignalPosted: { id: 506, record: { call: conferenceId, kind: signalKind, index: u32 }, ...conference },
  conferenceEnded: { id: 507, record: { call: conferenceId, endedAtMs: varint }, ...conference },
})
