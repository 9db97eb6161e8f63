/** Conferences as clients see them. */

import { defineSchema } from '../../../api/feature.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import * as parameters from './parameters.js'
import { CONFERENCE_IDS } from './records.js'
import * as routes from './routes.js'
import * as streams from './streams.js'
import { queries } from './views.js'

export const conferenceSchema = defineSchema({
  name: 'conference',
  since: 2,
  version: 1,
  ids: [CONFERENCE_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: Object.values(parameters),
  routes: {
    calls: routes.callsRoute,
    call: routes.callRoute,
    admission: routes.admissionRoute,
    signals: routes.signalsRoute,
    callEvents: streams.callStream,
    relays: routes.relaysRoute,
    counts: routes.countsRoute,
    relayHealth: routes.relayHealthRoute,
    relayEvents: streams.relayStream,
    relay: routes.relayRoute,
  },
  topics: {
    conference: 'Calls: hosts, participants, usage and relays',
    'conference key': 'Keys of members of private calls',
    'conference manifest': 'The relays of a call',
    'conference prove': 'Proofs of members of private calls, for another account to submit',
    'conference relay': 'Relays of calls',
    'conference signal': 'Short public messages about a call',
  },
})
