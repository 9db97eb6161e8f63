/** Runtime upgrades as clients see them. */

import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS } from '../../../model/index.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { queries } from './queries.js'
import { RUNTIME } from './routes.js'

export const upgradeSchema = defineSchema({
  name: 'upgrades',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors: {},
  instructions,
  events,
  queries,
  parameters: [],
  routes: RUNTIME,
  topics: { runtime: 'The active ABI of the network', 'runtime upgrade': 'Upgrades to another ABI' },
})
