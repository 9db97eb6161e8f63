/** Owns the queries of conferences. */

import type { Page } from '../../../api/paging.js'
import { none } from '../../../api/query-inputs.js'
import type { Schema } from '../../../codec/index.js'
import { defineQuery } from '../../../model/index.js'
import { CONFERENCE_QUERIES as ID } from './ids.js'
import * as views from './views.js'

export const conferenceCalls = defineQuery(ID.conferenceCalls, 'conferenceCalls', views.callsQuery, views.callPage)
export const conferenceCall = defineQuery(ID.conferenceCall, 'conferenceCall', views.callQuery, views.callView)
export const conferenceAdmission = defineQuery(
  ID.conferenceAdmission,
  'conferenceAdmission',
  views.admissionQuery,
  views.admissionView,
)
export const conferenceSignals = defineQuery(
  ID.conferenceSignals,
  'conferenceSignals',
  views.signalsQuery,
  views.signalPage as Schema<Page<views.SignalView>>,
)
export const conferenceRelays = defineQuery(
  ID.conferenceRelays,
  'conferenceRelays',
  views.relaysQuery,
  views.relayPage,
  'metrics',
)
export const conferenceRelay = defineQuery(
  ID.conferenceRelay,
  'conferenceRelay',
  views.relayQuery,
  views.relayView,
  'metrics',
)
export const conferenceRelayHealth = defineQuery(
  ID.conferenceRelayHealth,
  'conferenceRelayHealth',
  none,
  views.relayHealthView,
  'metrics',
)
export const conferenceCounts = defineQuery(ID.conferenceCounts, 'conferenceCounts', none, views.countsView, 'metrics')
