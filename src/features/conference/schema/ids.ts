/** Owns the ids of conferences: feature 3, 500 to 599. Append only. */
import { range } from '../../../model/index.js'

export const CONFERENCE_IDS = range(3)
const BASE = CONFERENCE_IDS.first

export const CONFERENCE_INSTRUCTIONS = {
  createConference: BASE,
  joinConference: BASE + 1,
  leaveConference: BASE + 2,
  recordConferenceUsage: BASE + 3,
  endConference: BASE + 4,
  setConferenceRelayManifest: BASE + 5,
  registerConferenceRelay: BASE + 6,
  setConferenceRelayAllowList: BASE + 7,
  reportConferenceRelayHealth: BASE + 8,
  admitConferenceMembers: BASE + 9,
  postConferenceSignal: BASE + 10,
} as const
export const CONFERENCE_TABLES = {
  call: BASE,
  description: BASE + 1,
  metadata: BASE + 2,
  manifest: BASE + 3,
  participant: BASE + 4,
  usage: BASE + 5,
  roster: BASE + 6,
  roots: BASE + 7,
  nullifier: BASE + 8,
  admission: BASE + 9,
  signal: BASE + 10,
  relay: BASE + 11,
  relayAllow: BASE + 12,
  relayTotals: BASE + 13,
} as const
export const CONFERENCE_EVENTS = {
  conferenceRosterSummary: BASE,
  conferenceUsageSummary: BASE + 1,
  conferenceRelayManifestUpdated: BASE + 2,
  conferenceRelayHealthUpdated: BASE + 3,
  conferenceRelayRegistered: BASE + 4,
  conferenceAdmissionUpdated: BASE + 5,
  conferenceSignalPosted: BASE + 6,
  conferenceEnded: BASE + 7,
} as const
export const CONFERENCE_QUERIES = {
  conferenceCalls: BASE,
  conferenceCall: BASE + 1,
  conferenceAdmission: BASE + 2,
  conferenceSignals: BASE + 3,
  conferenceRelays: BASE + 4,
  conferenceRelay: BASE + 5,
  conferenceRelayHealth: BASE + 6,
  conferenceCounts: BASE + 7,
} as const
export const CONFERENCE_INDEXES = { counts: BASE } as const
