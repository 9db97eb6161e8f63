/** Domains as clients see them. */

import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS } from '../../../model/index.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { queries } from './queries.js'
import * as routes from './routes.js'

export const domainSchema = defineSchema({
  name: 'domains',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [],
  routes: { domains: routes.domainsRoute, domain: routes.domainRoute },
  topics: { 'ledger domain': 'Domains' },
})
