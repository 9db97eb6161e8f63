/** Governance as clients see it. */
import { defineSchema } from '../../../api/feature.js'
import * as drafts from './drafts.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { GOV_ENACT_TEU } from './parameters.js'
import { GOV_IDS } from './records.js'
import * as routes from './routes.js'
import { queries } from './views.js'

export const govSchema = defineSchema({
  name: 'gov',
  since: 2,
  version: 1,
  ids: [GOV_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [GOV_ENACT_TEU],
  routes: {
    status: routes.statusRoute,
    tracks: routes.tracksRoute,
    proposals: routes.proposalsRoute,
    proposal: routes.proposalRoute,
    referendum: routes.referendumRoute,
    tally: routes.tallyRoute,
    locks: routes.locksRoute,
    account: routes.accountRoute,
    council: routes.councilRoute,
    councilActs: routes.councilActsRoute,
    namespaces: routes.namespacesRoute,
    contract: routes.contractRoute,
    unlocks: routes.unlocksRoute,
    events: routes.eventStream,
    proposalDraft: drafts.proposalDraftRoute,
    deploymentDraft: drafts.deploymentDraftRoute,
    namespacesDraft: drafts.namespacesDraftRoute,
    ballotDraft: drafts.ballotDraftRoute,
    finalizeDraft: drafts.finalizeDraftRoute,
    enactDraft: drafts.enactDraftRoute,
    councilDraft: drafts.councilDraftRoute,
  },
  topics: {
    gov: 'Decisions by vote: tracks, proposals, ballots, locks and upgrades',
    'gov council': 'The council of governance: members, acts and votes',
    'gov namespace': 'Domains in which deployments require an approval',
    'gov track': 'Tracks: what may be proposed, and who decides',
  },
})
