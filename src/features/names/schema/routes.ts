/** Owns the routes of names. */
import { pageFields, pageParameters } from '../../../api/paging.js'
import { accountText } from '../../../api/query-inputs.js'
import { defineRoute, publicRead } from '../../../api/route.js'
import { draftFields, draft as draftRecord, draftRow } from '../../../api/schema/draft.js'
import { type Infer, omissible, option, refine, type Schema, string, struct, u8, varint } from '../../../codec/index.js'
import { domainId } from '../../../model/index.js'
import { instructions } from './instructions.js'
import {
  availability,
  nameHistory,
  namePage,
  namePolicyPage,
  namePolicyView,
  namePrice,
  nameProof,
  nameQueries,
  reservedPage,
  shownName,
  standingWord,
} from './views.js'

/** Maximum size of a request, in bytes. */
const BODY_MAX_BYTES = 32 * 1024
/** Maximum length of a name as written by users, in bytes; a non-ASCII character has several. */
const USER_TEXT_MAX_BYTES = 512

/** Name as written by users; the node makes it canonical. */
const userName = refine(string(USER_TEXT_MAX_BYTES), 'UserName', () => undefined, { pattern: '^.+@.+$' })
const namePath_ = struct('NameTextPath', { name: userName })
const atParameters_ = struct('NameHeightParameters', {
  /** Height; absent: the last one. */
  at: option(varint),
})
const nameErrors = ['bad_name', 'not_found', 'history_pruned'] as const

export const namesRoute = defineRoute({
  ...publicRead,
  id: 'names.list',
  path: '/v1/names',
  tool: { name: 'names', about: 'Names of payees and assets, with their owners and terms' },
  summary: 'Names in the order of their domains and labels, optionally of a domain, an owner or a standing',
  query: struct('NamesParameters', {
    domain: option(domainId),
    owner: option(accountText),
    standing: option(standingWord),
    expiringBeforeMs: option(varint),
    ...pageFields,
  }),
  accounts: { owner: 'id' },
  errors: ['not_found'],
  response: namePage,
}).byPage(nameQueries.names, ({ query: { domain, standing, expiringBeforeMs }, accounts }) => ({
  domain,
  standing,
  expiringBeforeMs,
  owner: accounts.owner,
}))

export const nameRoute = defineRoute({
  ...publicRead,
  id: 'names.show',
  path: '/v1/names/{name}',
  summary: 'A name: its row, its account and its standing, now or at a height',
  params: namePath_,
  query: atParameters_,
  errors: nameErrors,
  response: shownName,
})

export const historyRoute = defineRoute({
  ...publicRead,
  id: 'names.history',
  path: '/v1/names/{name}/history',
  summary: 'Versions of a name, newest first; each names the hash of the one before',
  params: namePath_,
  query: pageParameters,
  errors: nameErrors,
  response: nameHistory,
})

export const proofRoute = defineRoute({
  ...publicRead,
  id: 'names.proof',
  path: '/v1/names/{name}/proof',
  summary: 'Proof of the account of a name, now or at a height, that verifies offline against the genesis hash',
  params: namePath_,
  query: atParameters_,
  errors: nameErrors,
  response: nameProof,
})

export const policiesRoute = defineRoute({
  ...publicRead,
  id: 'names.policies',
  path: '/v1/names/policies',
  summary: 'Policies of domains: source of their names, prices and terms of leases',
  query: pageParameters,
  response: namePolicyPage,
}).byPage(nameQueries.namePolicies)

export const policyRoute = defineRoute({
  ...publicRead,
  id: 'names.policy',
  path: '/v1/names/policies/{domain}',
  summary: 'The policy of names of a domain',
  params: struct('NamePolicyPath', { domain: domainId }),
  response: namePolicyView,
}).byQuery(
  nameQueries.namePolicy,
  ({ params }) => params,
  ({ params }) => `domain ${params.domain} does not exist`,
)

export const reservedRoute = defineRoute({
  ...publicRead,
  id: 'names.reserved',
  path: '/v1/names/reserved',
  summary: 'Reserved labels, of domains or of all of them',
  query: struct('ReservedNamesParameters', { domain: option(domainId), ...pageFields }),
  response: reservedPage,
}).byPage(nameQueries.reservedNames, ({ query: { domain } }) => ({ domain }))

const body = <T>(schema: Schema<T>) => ({ as: 'record', schema, maxBytes: BODY_MAX_BYTES }) as const

export interface AvailableRequest extends Infer<typeof availableRequest_> {}
const availableRequest_ = struct('NameAvailableRequest', { name: userName, years: omissible(u8) })
export const availableRoute = defineRoute({
  method: 'POST',
  access: 'public',
  format: 'json',
  safe: true,
  id: 'names.available',
  path: '/v1/names/available',
  summary: 'Whether a name can be registered, its price, or why it cannot',
  body: body(availableRequest_),
  errors: ['bad_name'],
  response: availability,
})

const draft = { ...draftRow, method: 'POST', access: 'public' } as const
/** Draft of a lease, with its current price. */
const pricedDraft = struct('NamePricedDraft', { ...draftFields, price: omissible(namePrice) })

export const commitDraftRoute = defineRoute({
  ...draft,
  id: 'names.drafts.commit',
  path: '/v1/names/drafts/commit',
  summary: 'Draft the commitment to a registration',
  body: body(instructions.commitName.schema),
  response: struct('NameCommitDraft', {
    ...draftFields,
    /** Earliest header time of the registration, if the next block contains the commitment. */
    notBeforeMs: varint,
  }),
})
export const registerDraftRoute = defineRoute({
  ...draft,
  id: 'names.drafts.register',
  path: '/v1/names/drafts/register',
  summary: 'Draft the registration that a commitment reveals',
  body: body(instructions.registerName.schema),
  response: pricedDraft,
})
export const renewDraftRoute = defineRoute({
  ...draft,
  id: 'names.drafts.renew',
  path: '/v1/names/drafts/renew',
  summary: 'Draft the renewal of a lease',
  body: body(instructions.renewName.schema),
  response: pricedDraft,
})

const plain = <T>(word: string, summary: string, schema: Schema<T>) =>
  defineRoute({
    ...draft,
    id: `names.drafts.${word}`,
    path: `/v1/names/drafts/${word}`,
    summary,
    body: body(schema),
    response: draftRecord,
  })
export const transferDraftRoute = plain(
  'transfer',
  'Draft the transfer of names to another owner',
  instructions.transferName.schema,
)
export const recordsDraftRoute = plain(
  'records',
  'Draft a change of the records of a name',
  instructions.setNameRecords.schema,
)
export const accountDraftRoute = plain(
  'account',
  'Draft another account for a name',
  instructions.setNameAccount.schema,
)
export const subnameDraftRoute = plain('subname', 'Draft a subname', instructions.createSubname.schema)
export const releaseDraftRoute = plain('release', 'Draft the end of a lease', instructions.releaseName.schema)
export const primaryDraftRoute = plain(
  'primary',
  'Draft the name that an account is shown by',
  instructions.setPrimaryName.schema,
)
