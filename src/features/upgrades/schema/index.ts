/** Runtime upgrades as clients see them. */
import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS } from '../../../model/index.js'
import * as events from './events.js'
import * as instructions from './instructions.js'
import * as queries from './queries.js'
import { RUNTIME } from './routes.js'

export const upgradeSchema = defineSchema({
  name: 'upgrades',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors: {},
  instructions: {
    proposeUpgrade: instructions.proposeUpgrade,
    activateUpgrade: instructions.activateUpgrade,
    cancelUpgrade: instructions.cancelUpgrade,
  },
  events: [events.upgradeProposed, events.upgradeActivated, events.upgradeCancelled],
  queries: { upgrades: queries.upgrades },
  parameters: [],
  routes: RUNTIME,
  topics: { runtime: 'The active ABI of the network', 'runtime upgrade': 'Upgrades to another ABI' },
})
