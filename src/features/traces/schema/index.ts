/** Traces as clients see them: a service of nodes without routes of its own. */
import { defineSchema } from '../../../api/feature.js'

export const traceSchema = defineSchema({
  name: 'traces',
  version: 1,
  ids: [],
  errors: {},
  instructions: {},
  events: [],
  queries: {},
  parameters: [],
  routes: {},
  topics: {},
})
