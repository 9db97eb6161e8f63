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
  // Their instructions have ids of the core (docs/design/lanes.md 1).
  ids: [range(2), CORE_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [],
  routes: LANE_ROUTES,
  topics: {
    lane: 'Lanes: their catalogue, routing and settlements',
    'lane anchor': 'Committees of other chains whose relay envelopes are accepted',
    'lane dataspace': 'Dataspaces of lanes and domains',
    'lane envelope': 'Relay envelopes: commitments of a lane, verified offline or submitted to another chain',
    'lane policy': 'The rules that route transactions to lanes',
    'lane route': 'The lane of a transaction, and the reason',
    'lane settlement': 'Settlements between two parties, and receipts of external ones',
  },
})
