/** Names as clients see them. */
import { defineSchema } from '../../../api/feature.js'
import { aliasQueries, aliasRoutes } from './aliases.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { NAME_IDS } from './records.js'
import * as routes from './routes.js'
import { nameQueries } from './views.js'

export const queries = { ...nameQueries, ...aliasQueries }

export const nameSchema = defineSchema({
  name: 'names',
  since: 2,
  version: 1,
  ids: [NAME_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [],
  routes: {
    ...aliasRoutes,
    names: routes.namesRoute,
    policies: routes.policiesRoute,
    policy: routes.policyRoute,
    reserved: routes.reservedRoute,
    available: routes.availableRoute,
    commitDraft: routes.commitDraftRoute,
    registerDraft: routes.registerDraftRoute,
    renewDraft: routes.renewDraftRoute,
    transferDraft: routes.transferDraftRoute,
    recordsDraft: routes.recordsDraftRoute,
    accountDraft: routes.accountDraftRoute,
    subnameDraft: routes.subnameDraftRoute,
    releaseDraft: routes.releaseDraftRoute,
    primaryDraft: routes.primaryDraftRoute,
    name: routes.nameRoute,
    history: routes.historyRoute,
    proof: routes.proofRoute,
  },
  topics: {
    alias: 'Names, IBANs and currencies, with the accounts and assets that they resolve to',
    name: 'Names: leases, subnames, records, proofs',
    'name policy': 'Policies of names: source of the names of a domain, prices and terms of leases',
    'name sub': 'Subnames',
  },
})
