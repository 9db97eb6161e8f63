/** How conferences act on the ledger (docs/concepts/conference.md). */
import { defineLedger } from '../../../executor/feature.js'
import { conferenceSchema } from '../schema/index.js'
import { admitConferenceMembers } from './admission.js'
import { createConference, endConference } from './calls.js'
import { conferenceCountsQuery, conferenceIndexes } from './indexes.js'
import { setConferenceRelayManifest } from './manifest.js'
import { joinConference, leaveConference } from './members.js'
import { CONFERENCE_PERMISSIONS } from './permissions.js'
import * as queries from './queries.js'
import { registerConferenceRelay, reportConferenceRelayHealth, setConferenceRelayAllowList } from './relays.js'
import { postConferenceSignal } from './signals.js'
import { CONFERENCE_TABLE_LIST } from './tables.js'
import { recordConferenceUsage } from './usage.js'

export const conferenceLedger = defineLedger(conferenceSchema, {
  tables: CONFERENCE_TABLE_LIST,
  execute: {
    createConference,
    joinConference,
    leaveConference,
    recordConferenceUsage,
    endConference,
    setConferenceRelayManifest,
    registerConferenceRelay,
    setConferenceRelayAllowList,
    reportConferenceRelayHealth,
    admitConferenceMembers,
    postConferenceSignal,
  },
  queries: {
    conferenceCalls: queries.conferenceCallsQuery,
    conferenceCall: queries.conferenceCallQuery,
    conferenceAdmission: queries.conferenceAdmissionQuery,
    conferenceSignals: queries.conferenceSignalsQuery,
    conferenceRelays: queries.conferenceRelaysQuery,
    conferenceRelay: queries.conferenceRelayQuery,
    conferenceRelayHealth: queries.conferenceRelayHealthQuery,
    conferenceCounts: conferenceCountsQuery,
  },
  permissions: Object.values(CONFERENCE_PERMISSIONS),
  indexes: conferenceIndexes,
})
