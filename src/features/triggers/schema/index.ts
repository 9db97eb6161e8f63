/** Triggers as clients see them. */

import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS } from '../../../model/index.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { queries } from './queries.js'
import * as routes from './routes.js'

export const triggerSchema = defineSchema({
  name: 'triggers',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors: {},
  instructions,
  events,
  queries,
  parameters: [],
  routes: { triggers: routes.triggersRoute, trigger: routes.triggerRoute },
  topics: { trigger: 'Instructions that run when something happens' },
})
