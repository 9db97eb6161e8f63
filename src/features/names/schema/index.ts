/** Names as clients see them. */
import { defineSchema } from '../../../api/feature.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { NAME_IDS } from './records.js'
import * as routes from './routes.js'
import { nameQueries } from './views.js'

export const queries = { ...nameQueries }

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
    name: 'Names: leases, subnames, records, proofs',
    'name policy': 'Who gives the names of a domain, and what a lease costs',
    'name sub': 'Subnames',
  },
})
