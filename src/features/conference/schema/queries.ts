/** Owns the queries of conferences. */

import type { Page } from '../../../api/paging.js'
import { none } from '../../../api/query-inputs.js'
import type { Schema } from '../../../codec/index.js'
import { defineQueries } from '../../../model/index.js'
import * as views from './views.js'

export const queries = defineQueries({
  conferenceCalls: { id: 500, input: views.callsQuery, output: views.callPage },
  conferenceCall: { id: 501, input: views.callQuery, output: views.callView },
  conferenceAdmission: { id: 502, input: views.admissionQuery, output: views.admissionView },
  conferenceSignals: { id: 503, input: views.signalsQuery, output: views.signalPage as Schema<Page<views.SignalView>> },
  conferenceRelays: { id: 504, input: views.relaysQuery, output: views.relayPage, profile: 'metrics' },
  conferenceRelay: { id: 505, input: views.relayQuery, output: views.relayView, profile: 'metrics' },
  conferenceRelayHealth: { id: 506, input: none, output: views.relayHealthView, profile: 'metrics' },
  conferenceCounts: { id: 507, input: none, output: views.countsView, profile: 'metrics' },
})
