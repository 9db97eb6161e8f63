/** Owns the tables of multisig accounts: policies, proposals, and open proposals (docs/design/lanes.md 3). */

import { hash32, type Infer, list, option, type Schema, struct, u32, unitEnum, varint } from '../codec/index.js'
import { accounts } from '../executor/accounts.js'
import { type AccountId, accountId, MULTISIG_MEMBERS_MAX, type MultisigPolicy, multisigPolicy } from '../model/index.js'
import { type PageTable, pageSchemas, type StateReader, type TableDef } from '../state/index.js'
import { KERNEL_TABLES } from './ids.js'

/** Maximum open proposals of one account, and number of closed ones kept for display. */
export const PROPOSALS_OPEN_MAX = 64
export const PROPOSALS_CLOSED_MAX = 64

/**
 * Policy of a multisig account. A replaced policy is kept after the removal of its account: the id is restored with its
 * last policy, never with its first (decision 29).
 */
export const multisigs: TableDef<AccountId, MultisigPolicy> = {
  id: KERNEL_TABLES.multisigs,
  name: 'multisigs',
  bound: { holds: '32 members', filledBy: 'RegisterMultisig', atBound: 'the decoder refuses more' },
  key: accountId,
  value: multisigPolicy,
}

/** Policy of a registered account. */
export const policyOf = (state: StateReader, account: AccountId): MultisigPolicy | undefined =>
  state.has(accounts, account) ? state.get(multisigs, account) : undefined

export type ProposalStatus = 'open' | 'executed' | 'cancelled' | 'expired'
export const proposalStatus: Schema<ProposalStatus> = unitEnum('ProposalStatus', {
  open: 0,
  executed: 1,
  cancelled: 2,
  expired: 3,
})

/** Instructions waiting for a quorum, stored in separate pages. Times are header times in ms since the Unix epoch. */
export interface Proposal extends Infer<typeof proposal_> {}
const proposal_ = struct('Proposal', {
  proposer: accountId,
  /**
   * Id of the transaction with the proposal. With the account and the instructions it determines the id of the
   * proposal.
   */
  transaction: hash32,
  /** Size of its instructions, and the weight of the JSON in them. */
  instructionBytes: u32,
  instructionWeight: u32,
  // Approvals of members that left stay on the record: at most twice the maximum number of members.
  /** Accounts that approved, the proposer first; their weight is determined by the current policy. */
  approvals: list(accountId, 2 * MULTISIG_MEMBERS_MAX),
  createdMs: varint,
  expiresMs: varint,
  status: proposalStatus,
  /** Time at which it was closed; expired ones are closed at the next proposal. */
  closedMs: option(varint),
})

export interface ProposalKey extends Infer<typeof proposalKey_> {}
const proposalKey_ = struct('ProposalKey', { account: accountId, proposal: hash32 })
export const proposals: TableDef<ProposalKey, Proposal> = {
  id: KERNEL_TABLES.proposals,
  name: 'proposals',
  bound: {
    holds: 'one proposal with 64 approvals',
    filledBy: 'Propose, Approve',
    atBound: 'approvals of former members are removed; closed ones are removed beyond the last 64',
  },
  key: proposalKey_,
  value: proposal_,
}

/** Instructions of proposals. */
export const proposalPages: PageTable<ProposalKey> = {
  id: KERNEL_TABLES.proposalPages,
  name: 'proposal_pages',
  bound: {
    holds: '32 KiB of instructions',
    filledBy: 'Propose',
    atBound: '128 KiB a proposal: `instructions_limit`; leaves with its proposal',
  },
  ...pageSchemas('ProposalPage', proposals.key),
}

/** Proposals of an account, oldest first. */
export interface ProposalList extends Infer<typeof proposalList_> {}
const proposalList_ = struct('ProposalList', {
  open: list(struct('OpenProposal', { proposal: hash32, expiresMs: varint }), PROPOSALS_OPEN_MAX),
  closed: list(hash32, PROPOSALS_CLOSED_MAX),
})
export const proposalLists: TableDef<AccountId, ProposalList> = {
  id: KERNEL_TABLES.proposalLists,
  name: 'proposal_lists',
  bound: {
    holds: '64 open and 64 closed proposals',
    filledBy: 'Propose',
    atBound: '`too_many_proposals`; the oldest closed one leaves',
  },
  key: accountId,
  value: proposalList_,
}
