/** Names as clients see them. */
import { defineSchema } from '../../../api/feature.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { NAME_IDS } from './records.js'

export const nameSchema = defineSchema({
  name: 'names',
  since: 2,
  version: 1,
  ids: [NAME_IDS],
  errors,
  instructions,
  events,
  queries: {},
  parameters: [],
  routes: {},
})
