/** Owns view records of multisig accounts and proposals. */
import { bool, hash32, type Infer, list, omissible, option, struct, unitEnum, varint } from '../../../codec/index.js'
import { accountId, MULTISIG_MEMBERS_MAX, multisigPolicy, storedInstructions } from '../../../model/index.js'

const status = unitEnum('ProposalStatusView', { open: 0, executed: 1, cancelled: 2, expired: 3 })
export interface ProposalView extends Infer<typeof proposalView> {}
export const proposalView = struct('ProposalView', {
  account: accountId,
  proposal: hash32,
  /** `expired` also where the ledger has not closed it yet. */
  status,
  proposer: accountId,
  /** Id of the transaction that proposed it: `proposalId` gives the id of the proposal from it. */
  transaction: hash32,
  instructions: storedInstructions,
  approvals: list(accountId, 2 * MULTISIG_MEMBERS_MAX),
  /** What the approvals weigh by the policy as it is, and what is needed. */
  weight: varint,
  quorum: varint,
  createdMs: varint,
  expiresMs: varint,
  closedMs: option(varint),
})

export interface ProposalQuery extends Infer<typeof proposalQuery> {}
export const proposalQuery = struct('ProposalQuery', { account: accountId, proposal: hash32 })

export interface MultisigView extends Infer<typeof multisigView> {}
export const multisigView = struct('MultisigView', {
  account: accountId,
  policy: multisigPolicy,
  open: list(proposalView, 64),
  closed: list(proposalView, 64),
  /** True where they show more than one answer holds; the rest is asked for by id. */
  moreProposals: omissible(bool),
  height: varint,
})
