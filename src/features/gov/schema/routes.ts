/** Owns the reads of governance (specification 4.3). */
import { word } from '../../../api/enum-text.js'
import { pageFields, pageParameters } from '../../../api/paging.js'
import { accountText } from '../../../api/query-inputs.js'
import { defineRoute, defineStream, publicRead } from '../../../api/route.js'
import { gap, startFields } from '../../../api/schema/stream.js'
import { sseOf } from '../../../api/streams.js'
import { bool, type Infer, list, option, struct, u8, u32, varint } from '../../../codec/index.js'
import { accountId, dataEvent, domainId, token } from '../../../model/index.js'
import { holderView } from '../../permissions/schema.js'
import { proposalNumber } from './records.js'
import * as views from './views.js'
import { queries } from './views.js'

const BASE = '/v1/gov'

/**
 * Maximum other holders in the status. A longer list is not needed, since governance then shares its power in any case.
 */
export const OTHER_HOLDERS_MAX = 256

/** Account or role that holds a permission of the governance account. */
const otherHolder_ = struct('GovOtherHolder', { holder: holderView, permission: token })

export interface StatusResponse extends Infer<typeof statusResponse_> {}
const statusResponse_ = struct('GovStatusResponse', {
  status: views.statusView,
  /** Other holders of its permissions, and holders of permissions on the assets whose locks vote. */
  otherHolders: list(otherHolder_, OTHER_HOLDERS_MAX),
  /** True if the list is complete. */
  isComplete: bool,
  /** Readiness of the validators for a new ABI. */
  peers: views.peersView,
})

export const statusRoute = defineRoute({
  ...publicRead,
  id: 'gov.status',
  path: `${BASE}/status`,
  tool: {
    name: 'governance',
    about: 'Governance: its account, tracks, open proposals, the next step, other holders of its permissions',
  },
  summary: 'Governance: its account, its permissions with their other holders, and the next step',
  response: statusResponse_,
})

export const tracksRoute = defineRoute({
  ...publicRead,
  id: 'gov.tracks',
  path: `${BASE}/tracks`,
  summary: 'Tracks: scopes, electorates, periods, and their open proposals',
  response: views.tracksView,
}).byQuery(queries.govTracks, () => ({}))

const statusWord = word('GovStatusWord', [
  ...(['lead', 'voting', 'approved', 'enacted', 'rejected', 'withdrawn', 'cancelled', 'expired', 'failed'] as const),
])
export const proposalsRoute = defineRoute({
  ...publicRead,
  id: 'gov.proposals',
  path: `${BASE}/proposals`,
  tool: { name: 'gov_proposals', about: 'Proposals of governance: title, status, tally and times' },
  summary: 'Proposals, newest first: the open ones and the last 128 closed ones',
  query: struct('GovProposalsParameters', {
    status: option(statusWord),
    track: option(u8),
    proposer: option(accountText),
    isOpen: option(bool),
    ...pageFields,
  }),
  about: {
    status: 'Status of the proposals.',
    track: 'Number of a track.',
    proposer: 'Account that proposed, address or alias.',
    is_open: 'True: only open proposals.',
  },
  accounts: { proposer: 'id' },
  errors: ['not_found'],
  response: views.proposalPage,
}).byPage(queries.govProposals, ({ query: { status, track, isOpen }, accounts: { proposer } }) => ({
  status,
  track,
  isOpen,
  proposer,
}))

const proposalPath_ = struct('GovProposalPath', { id: proposalNumber })
const proposalOf = ({ params }: { readonly params: { readonly id: number } }) => ({ proposal: params.id })
const noProposal = ({ params }: { readonly params: { readonly id: number } }): string =>
  `proposal ${params.id} does not exist, or was closed before the last 128`

export const proposalRoute = defineRoute({
  ...publicRead,
  id: 'gov.proposal',
  path: `${BASE}/proposals/{id}`,
  summary: 'A proposal: its instructions, the rules of its track, its status and its tally',
  params: proposalPath_,
  response: views.proposalView,
}).byQuery(queries.govProposal, proposalOf, noProposal)

export const referendumRoute = defineRoute({
  ...publicRead,
  id: 'gov.referendum',
  path: `${BASE}/referenda/{id}`,
  summary: 'Status and times of a proposal, and the attempts to enact it',
  params: proposalPath_,
  response: views.referendumView,
}).byQuery(queries.govReferendum, proposalOf, noProposal)

export const tallyRoute = defineRoute({
  ...publicRead,
  id: 'gov.tally',
  path: `${BASE}/tally/{id}`,
  summary: 'The count of a proposal, with the ballots of a role or of the validators',
  params: proposalPath_,
  response: views.tallyView,
}).byQuery(queries.govTally, proposalOf, noProposal)

const accountPath_ = struct('GovAccountPath', { id: accountText })

export const locksRoute = defineRoute({
  ...publicRead,
  id: 'gov.locks',
  path: `${BASE}/locks/{id}`,
  summary: 'Locks of an account with the ballots that hold them',
  params: accountPath_,
  query: pageParameters,
  accounts: { id: 'id' },
  errors: ['not_found'],
  response: views.lockPage,
}).byPage(queries.govLocks, ({ accounts }) => ({ account: accounts.id }))

export const accountRoute = defineRoute({
  ...publicRead,
  id: 'gov.account',
  path: `${BASE}/accounts/{id}`,
  summary: 'Rights of an account in governance: tracks, sealed roles, validators, its seat, its open proposals',
  params: accountPath_,
  accounts: { id: 'id' },
  response: views.accountView,
}).byQuery(
  queries.govAccount,
  ({ accounts }) => ({ account: accounts.id }),
  ({ params }) => `account ${params.id} does not exist`,
)

export const councilRoute = defineRoute({
  ...publicRead,
  id: 'gov.council',
  path: `${BASE}/council/current`,
  summary: 'The council in office, or the last one',
  response: views.councilView,
}).byQuery(
  queries.govCouncil,
  () => ({}),
  () => 'no council was appointed',
)

export const councilActsRoute = defineRoute({
  ...publicRead,
  id: 'gov.council.audit',
  path: `${BASE}/council/audit`,
  summary: 'Acts of the council of a term, newest first',
  query: struct('GovCouncilActsParameters', { term: option(u32), ...pageFields }),
  about: { term: 'Number of the term; default: the last one.' },
  errors: ['history_pruned'],
  response: views.councilActPage,
}).byPage(queries.govCouncilActs, ({ query: { term } }) => ({ term }))

export const namespacesRoute = defineRoute({
  ...publicRead,
  id: 'gov.namespaces',
  path: `${BASE}/protected-namespaces`,
  summary: 'Domains in which deployments require an approval',
  query: pageParameters,
  response: views.namespacePage,
}).byPage(queries.govNamespaces)

/** Protection of the domain of a contract. */
const contractResponse_ = struct('GovContractResponse', {
  address: accountId,
  domain: domainId,
  /** Domain with the approvals for pending deployments. */
  namespace: views.namespaceView,
})
export const contractRoute = defineRoute({
  ...publicRead,
  id: 'gov.contract',
  path: `${BASE}/contracts/{address}`,
  summary: 'Whether the domain of a contract is protected, and the approvals that wait there',
  params: struct('GovContractPath', { address: accountText }),
  accounts: { address: 'id' },
  errors: ['not_found'],
  response: contractResponse_,
})

export const unlocksRoute = defineRoute({
  ...publicRead,
  id: 'gov.unlocks',
  path: `${BASE}/unlocks/stats`,
  summary: 'Locked amounts by definition, and when the next part becomes free',
  response: views.unlocksView,
}).byQuery(queries.govUnlocks, () => ({}))

/** Committed event of governance. */
export interface GovStreamed extends Infer<typeof govStreamed> {}
export const govStreamed = struct('GovStreamedEvent', { event: dataEvent, height: varint })
export const eventStream = defineStream({
  method: 'GET',
  access: 'public',
  format: 'sse',
  id: 'gov.events',
  path: `${BASE}/stream`,
  summary: 'Events of governance as they are committed, optionally of one proposal',
  query: struct('GovStreamParameters', { proposal: option(proposalNumber), ...startFields }),
  about: { proposal: 'Number of a proposal.' },
  stream: sseOf({ 'gov.event': govStreamed, gap }),
})
