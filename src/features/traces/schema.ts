/** Traces as clients see them: a service of nodes without routes of its own. */
import { defineServiceSchema } from '../../api/feature.js'

export const traceSchema = defineServiceSchema({
  name: 'traces',
  version: 1,
  routes: {},
})
