/** Lanes as clients see them (docs/design/lanes.md). */

import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS, range } from '../../../model/index.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { queries } from './queries.js'
import { LANE_ROUTES } from './routes.js'

export const laneSchema = defineSchema({
  name: 'lanes',
  version: 1,
  // Their instructions were given ids of the core (docs/design/lanes.md 1).
  ids: [range(2), CORE_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [],
  routes: LANE_ROUTES,
  topics: {
    lane: 'Lanes: what they are, where transactions go, what they settled',
    'lane anchor': 'Committees of other chains whose relay envelopes are accepted',
    'lane dataspace': 'Dataspaces, which lanes and domains belong to',
    'lane envelope': 'Relay envelopes: what a lane committed, verified offline or submitted to another chain',
    'lane policy': 'The rules that route transactions to lanes',
    'lane route': 'The lane of a transaction, and why',
    'lane settlement': 'Settlements of two parties, and receipts of those made elsewhere',
  },
})
