/** Owns the views of NFTs, roles, triggers, multisig accounts, proposals and controls: what queries and routes answer. */

import { pageOf } from '../../../api/paging.js'
import { accountPlace, holderPlace } from '../../../api/places.js'
import { pageQueryFields, pageQueryOf } from '../../../api/query-inputs.js'
import {
  bool,
  enumOf,
  hash32,
  type Infer,
  list,
  numeric,
  omissible,
  option,
  type Schema,
  string,
  struct,
  u8,
  u32,
  unitEnum,
  varint,
} from '../../../codec/index.js'
import {
  accountId,
  admissionPolicy,
  assetDefinitionId,
  controlLimits,
  controlWindow,
  domainId,
  MULTISIG_MEMBERS_MAX,
  metadata,
  multisigPolicy,
  name,
  nftId,
  ROLE_MANAGERS_MAX,
  ROLES_MAX,
  storedInstructions,
  TOKEN_OBJECT_MAX_BYTES,
  TOKENS_MAX,
  token,
  triggerFilter,
} from '../../../model/index.js'

const nftView_ = struct('NftView', { id: nftId, ownedBy: accountId, content: metadata })
export type NftView = Infer<typeof nftView_>
export const nftView: Schema<NftView> = nftView_
export const nftPage = pageOf('NftPage', nftView)

/** NFTs by their ids; of one owner and one domain when they are given. */
const nftsQuery_ = struct('NftsQuery', {
  owner: option(accountId),
  domain: option(domainId),
  ...pageQueryFields(nftId),
})
export type NftsQuery = Infer<typeof nftsQuery_>
export const nftsQuery: Schema<NftsQuery> = nftsQuery_

const roleView_ = struct('RoleView', {
  id: name,
  permissions: list(token, TOKENS_MAX),
  managers: list(accountId, ROLE_MANAGERS_MAX),
  members: varint,
})
export type RoleView = Infer<typeof roleView_>
export const roleView: Schema<RoleView> = roleView_
export const rolePage = pageOf('RolePage', roleView)
export const rolesInput = pageQueryOf('RolesQuery', name)

/** What an account may: its own permissions, and those of its roles by name. */
const grantsView_ = struct('AccountGrantsView', {
  account: accountId,
  permissions: list(token, TOKENS_MAX),
  roles: list(roleView, ROLES_MAX),
})
export type AccountGrantsView = Infer<typeof grantsView_>
export const accountGrantsView: Schema<AccountGrantsView> = grantsView_

const holderView_ = enumOf('PermissionHolder', { account: [0, accountId], role: [1, name] })
export type HolderView = Infer<typeof holderView_>
export const holderView: Schema<HolderView> = holderView_

/** Which permission, and from where on. */
const holdersQuery_ = struct('PermissionHoldersQuery', {
  ...pageQueryFields(holderPlace),
  name,
  /** As tokens write it: accounts as the hex of their ids; absent for a global permission. */
  object: option(string(TOKEN_OBJECT_MAX_BYTES)),
})
export type HoldersQuery = Infer<typeof holdersQuery_>
export const holdersQuery: Schema<HoldersQuery> = holdersQuery_

const holderItem_ = struct('PermissionHolderView', { holder: holderView, permission: token })
export type HolderItem = Infer<typeof holderItem_>
export const holderItem: Schema<HolderItem> = holderItem_
export const holderPage = pageOf('PermissionHolderPage', holderItem)

const triggerView_ = struct('TriggerView', {
  id: name,
  authority: accountId,
  filter: triggerFilter,
  instructions: storedInstructions,
  repeats: option(u32),
  enabled: bool,
  failures: u8,
  /** Next due time of a time trigger, in ms since the Unix epoch. */
  dueMs: option(varint),
  metadata,
})
export type TriggerView = Infer<typeof triggerView_>
export const triggerView: Schema<TriggerView> = triggerView_
export const triggerPage = pageOf('TriggerPage', triggerView)
export const triggersInput = pageQueryOf('TriggersQuery', name)

const status = unitEnum('ProposalStatusView', { open: 0, executed: 1, cancelled: 2, expired: 3 })
const proposalView_ = struct('ProposalView', {
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
export type ProposalView = Infer<typeof proposalView_>
export const proposalView: Schema<ProposalView> = proposalView_

const proposalQuery_ = struct('ProposalQuery', { account: accountId, proposal: hash32 })
export type ProposalQuery = Infer<typeof proposalQuery_>
export const proposalQuery: Schema<ProposalQuery> = proposalQuery_

const multisigView_ = struct('MultisigView', {
  account: accountId,
  policy: multisigPolicy,
  open: list(proposalView, 64),
  closed: list(proposalView, 64),
  /** True where they show more than one answer holds; the rest is asked for by id. */
  moreProposals: omissible(bool),
  height: varint,
})
export type MultisigView = Infer<typeof multisigView_>
export const multisigView: Schema<MultisigView> = multisigView_

const controlView_ = struct('ControlView', {
  definition: assetDefinitionId,
  account: accountId,
  frozen: bool,
  blacklisted: bool,
  limits: controlLimits,
  /** What left in the current window of each cap, and what may still leave. */
  usage: list(struct('ControlUsageView', { window: controlWindow, spent: numeric, left: numeric }), 3),
})
export type ControlView = Infer<typeof controlView_>
export const controlView: Schema<ControlView> = controlView_
export const controlPage = pageOf('ControlPage', controlView)

const controlQuery_ = struct('ControlQuery', { definition: assetDefinitionId, account: accountId })
export type ControlQuery = Infer<typeof controlQuery_>
export const controlQuery: Schema<ControlQuery> = controlQuery_

const controlsQuery_ = struct('ControlsQuery', {
  definition: assetDefinitionId,
  ...pageQueryFields(accountPlace),
})
export type ControlsQuery = Infer<typeof controlsQuery_>
export const controlsQuery: Schema<ControlsQuery> = controlsQuery_

/** Whether a transfer would be barred as the state stands. */
const checkQuery_ = struct('ControlCheckQuery', {
  definition: assetDefinitionId,
  account: accountId,
  to: accountId,
  amount: numeric,
})
export type ControlCheckQuery = Infer<typeof checkQuery_>
export const controlCheckQuery: Schema<ControlCheckQuery> = checkQuery_
const check_ = struct('ControlCheck', {
  allowed: bool,
  /** Error code that the transfer would be rejected with. */
  code: option(string(64)),
  message: option(string(1024)),
  height: varint,
})
export type ControlCheck = Infer<typeof check_>
export const controlCheck: Schema<ControlCheck> = check_

const admissionView_ = struct('AdmissionView', {
  domain: domainId,
  /** As the domain set it; absent: explicit. */
  policy: option(admissionPolicy),
  /** What holds, by chain and domain together. */
  implicit: bool,
})
export type AdmissionView = Infer<typeof admissionView_>
export const admissionView: Schema<AdmissionView> = admissionView_
