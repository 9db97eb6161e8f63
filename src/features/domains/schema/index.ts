/** Domains as clients see them. */
import { defineSchema } from '../../../api/feature.js'
import { CORE_IDS } from '../../../model/index.js'
import { errors } from './errors.js'
import * as events from './events.js'
import * as instructions from './instructions.js'
import * as queries from './queries.js'
import * as routes from './routes.js'

export const domainSchema = defineSchema({
  name: 'domains',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors,
  instructions: { registerDomain: instructions.registerDomain, unregisterDomain: instructions.unregisterDomain },
  events: [events.domainCreated, events.domainDeleted],
  queries: { domains: queries.domains, domain: queries.domain },
  parameters: [],
  routes: { domains: routes.domainsRoute, domain: routes.domainRoute },
  topics: { 'ledger domain': 'Domains' },
})
