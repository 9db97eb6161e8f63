/** Real-world assets as clients see them. */

import { defineSchema } from '../../../api/feature.js'
import { RWA_IDS } from '../../../model/index.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'

export const rwaSchema = defineSchema({
  name: 'rwas',
  since: 2,
  version: 1,
  ids: [RWA_IDS],
  errors,
  instructions,
  events,
  queries: {},
  parameters: [],
  routes: {},
  topics: {},
})
