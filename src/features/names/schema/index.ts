/** Names as clients see them. */
import { defineSchema } from '../../../api/feature.js'
import { aliasQueries, aliasRoutes } from './aliases.js'
import { errors } from './errors.js'
import { instructions } from './instructions.js'
import { NAME_IDS } from './records.js'

export const queries = { ...aliasQueries }

export const nameSchema = defineSchema({
  name: 'names',
  since: 2,
  version: 1,
  ids: [NAME_IDS],
  errors,
  instructions,
  events: {},
  queries,
  parameters: [],
  routes: { ...aliasRoutes },
  topics: { alias: 'What names, IBANs and currencies stand for' },
})
