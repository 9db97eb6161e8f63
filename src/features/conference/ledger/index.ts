/** Execution of conferences (docs/concepts/conference.md). */
import { defineLedger } from '../../../executor/feature.js'
import { conferenceSchema } from '../schema/index.js'
import * as admission from './admission.js'
import * as calls from './calls.js'
import { CONFERENCE_PERMISSIONS } from './calls.js'
import { conferenceCountsQuery, conferenceIndexes } from './indexes.js'
import * as manifest from './manifest.js'
import * as members from './members.js'
import * as queries from './queries.js'
import * as relays from './relays.js'
import * as signals from './signals.js'
import { CONFERENCE_TABLE_LIST } from './tables.js'
import * as usage from './usage.js'

export const conferenceLedger = defineLedger(conferenceSchema, {
  tables: CONFERENCE_TABLE_LIST,
  execute: {
    ...calls.execute,
    ...members.execute,
    ...usage.execute,
    ...manifest.execute,
    ...relays.execute,
    ...admission.execute,
    ...signals.execute,
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
