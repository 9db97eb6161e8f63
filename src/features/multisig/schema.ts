/**
 * Owns multisig accounts as clients see them: error codes, instructions, events, views, queries and routes (docs/design/lanes.md 3).
 */

import { defineSchema } from '../../api/feature.js'
import { accountQuery, accountText } from '../../api/query-inputs.js'
import { defineRoute, JSON_BODY_MAX_BYTES } from '../../api/route.js'
import { draftFields, draftRow } from '../../api/schema/draft.js'
import {
  bool,
  enumOf,
  hash32,
  type Infer,
  list,
  omissible,
  option,
  string,
  struct,
  unitEnum,
  varint,
} from '../../codec/index.js'
import { hash } from '../../crypto/index.js'
import {
  type AccountId,
  aboutMultisig,
  accountId,
  answered,
  CODE_MAX_BYTES,
  CORE_IDS,
  declareErrors,
  defineEvents,
  defineInstructions,
  defineQueries,
  domainId,
  type ErrorDef,
  EXIT,
  type InstructionOf,
  keyBytes,
  MULTISIG_MEMBERS_MAX,
  metadata,
  multisigPolicy,
  name,
  proposalEvents,
  storedInstructions,
} from '../../model/index.js'

const errors = declareErrors({
  bad_policy: answered(
    33,
    422,
    EXIT.rejected,
    'The policy has no members, an unreachable quorum, or a duplicate member.',
    'The quorum must be between 1 and the sum of the weights.',
  ),
  not_a_member: answered(
    34,
    403,
    EXIT.rejected,
    'The account is not a member of the multisig account.',
    'Only members of the multisig account can propose and approve.',
  ),
  proposal_expired: answered(36, 422, EXIT.rejected, 'The proposal is closed or expired.', 'Propose it again.'),
})

declare module '../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}

/**
 * Account of a policy: a new account whose id is derived from the policy, or an existing account that replaces its own
 * policy.
 */
const target_ = enumOf('MultisigTarget', {
  create: [0, struct('MultisigHome', { domain: domainId, label: option(name), metadata })],
  replace: [1, accountId],
})

/** Id of a proposal: hash of its account, its instructions in canonical bytes, and the proposing transaction. */
export const proposalId = (account: AccountId, instructions: Uint8Array, transaction: Uint8Array): Buffer =>
  hash('proposal', keyBytes(account), instructions, transaction)

export const instructions = defineInstructions({
  registerMultisig: {
    id: 34,
    label: 'multisig::register',
    record: {
      policy: multisigPolicy,
      target: target_,
    },
  },
  propose: {
    id: 35,
    label: 'multisig::propose',
    record: {
      account: accountId,
      instructions: storedInstructions,
      /** Lifetime in ms of header time; absent: the maximum of the policy. */
      ttlMs: option(varint),
    },
  },
  approve: { id: 36, label: 'multisig::approve', record: { account: accountId, proposal: hash32 } },
  cancel: { id: 37, label: 'multisig::cancel', record: { account: accountId, proposal: hash32 } },
})

export interface Propose extends InstructionOf<typeof instructions.propose> {}
/** Proposal of an account. */
export interface ProposalRef extends InstructionOf<typeof instructions.approve> {}

const proposalFields = { account: accountId, proposal: hash32 }

export const events = {
  ...proposalEvents,
  ...defineEvents({
    multisigChanged: { id: 37, record: { account: accountId, quorum: varint, members: varint }, ...aboutMultisig },
    proposalCreated: {
      id: 38,
      record: { ...proposalFields, proposer: accountId, expiresMs: varint },
      ...aboutMultisig,
    },
    proposalApproved: { id: 39, record: { ...proposalFields, by: accountId }, ...aboutMultisig },
    proposalExecuted: { id: 40, record: proposalFields, ...aboutMultisig },
    proposalFailed: { id: 41, record: { ...proposalFields, error: string(CODE_MAX_BYTES) }, ...aboutMultisig },
    proposalCancelled: { id: 42, record: proposalFields, ...aboutMultisig },
  }),
}

const status = unitEnum('ProposalStatusView', { open: 0, executed: 1, cancelled: 2, expired: 3 })
export interface ProposalView extends Infer<typeof proposalView> {}
export const proposalView = struct('ProposalView', {
  account: accountId,
  proposal: hash32,
  /** `expired` even if the ledger has not closed it yet. */
  status,
  proposer: accountId,
  /** Id of the proposing transaction, from which `proposalId` computes the proposal id. */
  transaction: hash32,
  instructions: storedInstructions,
  approvals: list(accountId, 2 * MULTISIG_MEMBERS_MAX),
  /** Weight of the approvals under the current policy, and required weight. */
  weight: varint,
  quorum: varint,
  createdMs: varint,
  expiresMs: varint,
  closedMs: option(varint),
})

export interface ProposalQuery extends Infer<typeof proposalQuery> {}
const proposalQuery = struct('ProposalQuery', { account: accountId, proposal: hash32 })

export interface MultisigView extends Infer<typeof multisigView> {}
const multisigView = struct('MultisigView', {
  account: accountId,
  policy: multisigPolicy,
  open: list(proposalView, 64),
  closed: list(proposalView, 64),
  /** True if the response omits some proposals, which can be requested by id. */
  moreProposals: omissible(bool),
  height: varint,
})

export const queries = defineQueries({
  multisig: { id: 13, input: accountQuery, output: multisigView },
  proposal: { id: 14, input: proposalQuery, output: proposalView },
})

/**
 * Maximum size of a policy request, in bytes of JSON: many times the size of 32 members with addresses of 90
 * characters.
 */
const POLICY_BODY_MAX_BYTES = 16 * 1024

/** Maximum size of a request that names a proposal, in bytes: many times the size of its id. */
const CHOICE_BODY_MAX_BYTES = 1024

const accountPath_ = struct('MultisigPath', { account: accountText })
const proposalPath_ = struct('ProposalPath', { account: accountText, proposal: hash32 })

const address_ = struct('MultisigAddress', { account: accountId, policy: multisigPolicy })

const multisigRoute = defineRoute({
  id: 'multisig.account',
  method: 'GET',
  path: '/v1/multisig/{account}',
  summary: 'Policy of a multisig account with its open proposals and the most recently closed ones',
  access: 'public',
  format: 'json',
  params: accountPath_,
  accounts: { account: 'name' },
  response: multisigView,
}).byQuery(
  queries.multisig,
  ({ accounts }) => accounts.account,
  ({ params }) => `${params.account} is not a multisig account`,
)

const proposalRoute = defineRoute({
  id: 'multisig.proposal',
  method: 'GET',
  path: '/v1/multisig/{account}/proposals/{proposal}',
  summary: 'A proposal: its instructions, approvals and quorum',
  access: 'public',
  format: 'json',
  params: proposalPath_,
  accounts: { account: 'id' },
  response: proposalView,
}).byQuery(
  queries.proposal,
  ({ params, accounts }) => ({ account: accounts.account, proposal: params.proposal }),
  () => 'the proposal does not exist',
)

/** Maximum size of a proposal request, in bytes of JSON: it is parsed before the signature is verified. */
const PROPOSAL_BODY_MAX_BYTES = JSON_BODY_MAX_BYTES

const proposalContent_ = struct('ProposalContent', {
  instructions: storedInstructions,
  /** Lifetime in ms of header time; absent: the maximum of the policy. */
  ttlMs: option(varint),
})
export type ProposalContent = Infer<typeof proposalContent_>
const proposalChoice_ = struct('ProposalChoice', { proposal: hash32 })
export type ProposalChoice = Infer<typeof proposalChoice_>

const proposed_ = struct('ProposalDraft', {
  ...draftFields,
  /** Id of the proposal that this transaction creates; absent without an authority. */
  proposal: omissible(hash32),
})
const decided_ = struct('ProposalDecisionDraft', {
  ...draftFields,
  /** Proposal to approve or cancel, for the signer to review. */
  proposal: proposalView,
})

const draft = { ...draftRow, method: 'POST', access: 'public', params: accountPath_ } as const

export const proposeRoute = defineRoute({
  ...draft,
  accounts: { account: 'name', ...draftRow.accounts },
  id: 'multisig.propose',
  path: '/v1/multisig/{account}/propose',
  summary: 'Draft the proposal of instructions to a multisig account; a member signs and submits it',
  body: { as: 'record', schema: proposalContent_, maxBytes: PROPOSAL_BODY_MAX_BYTES },
  response: proposed_,
})

export const approveRoute = defineRoute({
  ...draft,
  accounts: { account: 'id', ...draftRow.accounts },
  id: 'multisig.approve',
  path: '/v1/multisig/{account}/approve',
  summary: 'Draft the approval of an open proposal, with the content of the proposal',
  body: { as: 'record', schema: proposalChoice_, maxBytes: CHOICE_BODY_MAX_BYTES },
  response: decided_,
  errors: [...draft.errors, 'proposal_expired'],
})

export const cancelRoute = defineRoute({
  ...draft,
  accounts: { account: 'id', ...draftRow.accounts },
  id: 'multisig.cancel',
  path: '/v1/multisig/{account}/cancel',
  summary: 'Draft the cancellation of an open proposal, with the content of the proposal',
  body: { as: 'record', schema: proposalChoice_, maxBytes: CHOICE_BODY_MAX_BYTES },
  response: decided_,
  errors: [...draft.errors, 'proposal_expired'],
})

export const multisigAddressRoute = defineRoute({
  id: 'multisig.address',
  safe: true,
  method: 'POST',
  path: '/v1/multisig/address',
  summary: 'Address of the account that a policy creates, and the policy in its canonical order',
  access: 'public',
  format: 'json',
  body: { as: 'record', schema: multisigPolicy, maxBytes: POLICY_BODY_MAX_BYTES },
  response: address_,
})

export const multisigSchema = defineSchema({
  name: 'multisig',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [],
  routes: {
    multisig: multisigRoute,
    proposal: proposalRoute,
    propose: proposeRoute,
    approve: approveRoute,
    cancel: cancelRoute,
    multisigAddress: multisigAddressRoute,
  },
  topics: { multisig: 'Accounts that several members control' },
})
