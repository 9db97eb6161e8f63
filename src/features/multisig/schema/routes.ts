/** Owns the routes of multisig accounts. */

import { accountText } from '../../../api/query-inputs.js'
import { defineRoute, JSON_BODY_MAX_BYTES } from '../../../api/route.js'
import { draftFields, draftRow } from '../../../api/schema/draft.js'
import { hash32, type Infer, omissible, option, struct, varint } from '../../../codec/index.js'
import { accountId, multisigPolicy, storedInstructions } from '../../../model/index.js'
import { queries } from './queries.js'
import { multisigView, proposalView } from './views.js'

/** Largest body of a policy, in bytes of its JSON: 32 members with addresses of 90 characters fit many times. */
const POLICY_BODY_MAX_BYTES = 16 * 1024

/** Largest body that names a proposal, in bytes: its id fits many times. */
const CHOICE_BODY_MAX_BYTES = 1024

const accountPath_ = struct('MultisigPath', { account: accountText })
const proposalPath_ = struct('ProposalPath', { account: accountText, proposal: hash32 })

const address_ = struct('MultisigAddress', { account: accountId, policy: multisigPolicy })

export const multisigRoute = defineRoute({
  id: 'multisig.account',
  method: 'GET',
  path: '/v1/multisig/{account}',
  summary: 'Policy of a multisig account with its open proposals and the last closed ones',
  access: 'public',
  format: 'json',
  params: accountPath_,
  accounts: { account: 'name' },
  response: multisigView,
}).byQuery(
  queries.multisig,
  ({ accounts }) => accounts.account,
  ({ params }) => `there is no multisig account ${params.account}`,
)

export const proposalRoute = defineRoute({
  id: 'multisig.proposal',
  method: 'GET',
  path: '/v1/multisig/{account}/proposals/{proposal}',
  summary: 'A proposal: its instructions, who approved, what is needed',
  access: 'public',
  format: 'json',
  params: proposalPath_,
  accounts: { account: 'id' },
  response: proposalView,
}).byQuery(
  queries.proposal,
  ({ params, accounts }) => ({ account: accounts.account, proposal: params.proposal }),
  () => 'no such proposal',
)

/** Largest body of a proposal, in bytes of its JSON: it is read before anybody is known to have signed it. */
const PROPOSAL_BODY_MAX_BYTES = JSON_BODY_MAX_BYTES

const proposalContent_ = struct('ProposalContent', {
  instructions: storedInstructions,
  /** Life in ms of header time; absent: the longest that the policy allows. */
  ttlMs: option(varint),
})
export type ProposalContent = Infer<typeof proposalContent_>
const proposalChoice_ = struct('ProposalChoice', { proposal: hash32 })
export type ProposalChoice = Infer<typeof proposalChoice_>

const proposed_ = struct('ProposalDraft', {
  ...draftFields,
  /** Id of the proposal that this transaction makes; absent where no authority was named. */
  proposal: omissible(hash32),
})
const decided_ = struct('ProposalDecisionDraft', {
  ...draftFields,
  /** What is approved or cancelled, for whoever signs to look at. */
  proposal: proposalView,
})

const draft = { ...draftRow, method: 'POST', access: 'public', params: accountPath_ } as const

export const proposeRoute = defineRoute({
  ...draft,
  accounts: { account: 'name', ...draftRow.accounts },
  id: 'multisig.propose',
  path: '/v1/multisig/{account}/propose',
  summary: 'Drafts the proposal of instructions to a multisig account; a member signs and submits it',
  body: { as: 'record', schema: proposalContent_, maxBytes: PROPOSAL_BODY_MAX_BYTES },
  response: proposed_,
})

export const approveRoute = defineRoute({
  ...draft,
  accounts: { account: 'id', ...draftRow.accounts },
  id: 'multisig.approve',
  path: '/v1/multisig/{account}/approve',
  summary: 'Drafts the approval of an open proposal, with what the proposal says',
  body: { as: 'record', schema: proposalChoice_, maxBytes: CHOICE_BODY_MAX_BYTES },
  response: decided_,
  errors: [...draft.errors, 'proposal_expired'],
})

export const cancelRoute = defineRoute({
  ...draft,
  accounts: { account: 'id', ...draftRow.accounts },
  id: 'multisig.cancel',
  path: '/v1/multisig/{account}/cancel',
  summary: 'Drafts the cancellation of an open proposal, with what the proposal says',
  body: { as: 'record', schema: proposalChoice_, maxBytes: CHOICE_BODY_MAX_BYTES },
  response: decided_,
  errors: [...draft.errors, 'proposal_expired'],
})

export const multisigAddressRoute = defineRoute({
  id: 'multisig.address',
  safe: true,
  method: 'POST',
  path: '/v1/multisig/address',
  summary: 'Address of the account that starts with a policy, and the policy in its canonical order',
  access: 'public',
  format: 'json',
  body: { as: 'record', schema: multisigPolicy, maxBytes: POLICY_BODY_MAX_BYTES },
  response: address_,
})
