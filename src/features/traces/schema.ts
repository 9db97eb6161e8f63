/** Traces as clients see them: a service of nodes without its own routes. */
import { defineServiceSchema } from '../../api/feature.js'

export const traceSchema = defineServiceSchema({
  name: 'traces',
  version: 1,
  routes: {},
})
