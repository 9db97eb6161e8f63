/** Owns the rows of the reads of NFTs, permissions, roles, triggers, multisig accounts and controls (specification 4.3). */
import { pageFields } from '../../../api/paging.js'
import { defineRoute, routeTable } from '../../../api/route.js'
import { hash32, type Infer, numeric, option, string, struct } from '../../../codec/index.js'
import { accountId, assetDefinitionId, domainId, multisigPolicy, name, nftId } from '../../../model/index.js'
import {
  accountGrantsView,
  controlCheck,
  controlPage,
  controlView,
  multisigView,
  nftPage,
  nftView,
  proposalView,
  rolePage,
  roleView,
  triggerPage,
  triggerView,
} from './object-views.js'

/** Longest text of an address or an alias, in bytes. */
const ACCOUNT_TEXT_MAX_BYTES = 512
/** Largest body of a policy, in bytes of its JSON: 32 members with addresses of 90 characters fit many times. */
const POLICY_BODY_MAX_BYTES = 16 * 1024

const accountText = string(ACCOUNT_TEXT_MAX_BYTES)

const nftsParameters_ = struct('NftsParameters', {
  owner: option(accountText),
  domain: option(domainId),
  ...pageFields,
})
export type NftsParameters = Infer<typeof nftsParameters_>
const namePath_ = struct('NamePath', { id: name })
const nftPath_ = struct('NftPath', { id: nftId })
const accountPath_ = struct('MultisigPath', { account: accountText })
const grantsPath_ = struct('AccountGrantsPath', { id: accountText })
const proposalPath_ = struct('ProposalPath', { account: accountText, proposal: hash32 })
const definitionPath_ = struct('ControlsPath', { definition: assetDefinitionId })
const controlPath_ = struct('ControlPath', { definition: assetDefinitionId, account: accountText })
const checkParameters_ = struct('ControlCheckParameters', { to: accountText, amount: numeric })
const pageParameters_ = struct('PageParameters', pageFields)
const address_ = struct('MultisigAddress', { account: accountId, policy: multisigPolicy })

export const nftsRoute = defineRoute({
  id: 'ledger.nfts',
  method: 'GET',
  path: '/v1/nfts',
  summary: 'NFTs in the order of their ids, of one owner or one domain when it is given',
  access: 'public',
  format: 'json',
  query: nftsParameters_,
  errors: ['not_found'],
  response: nftPage,
})

export const nftRoute = defineRoute({
  id: 'ledger.nft',
  method: 'GET',
  path: '/v1/nfts/{id}',
  summary: 'An NFT with its content',
  access: 'public',
  format: 'json',
  params: nftPath_,
  response: nftView,
})

export const accountGrantsRoute = defineRoute({
  id: 'ledger.account.permissions',
  method: 'GET',
  path: '/v1/accounts/{id}/permissions',
  summary: 'Permissions and roles of an account',
  access: 'public',
  format: 'json',
  params: grantsPath_,
  response: accountGrantsView,
})

export const rolesRoute = defineRoute({
  id: 'ledger.roles',
  method: 'GET',
  path: '/v1/roles',
  summary: 'Roles in the order of their names',
  access: 'public',
  format: 'json',
  query: pageParameters_,
  response: rolePage,
})

export const roleRoute = defineRoute({
  id: 'ledger.role',
  method: 'GET',
  path: '/v1/roles/{id}',
  summary: 'A role: its permissions, its managers, how many accounts have it',
  access: 'public',
  format: 'json',
  params: namePath_,
  response: roleView,
})

export const triggersRoute = defineRoute({
  id: 'ledger.triggers',
  method: 'GET',
  path: '/v1/triggers',
  summary: 'Triggers in the order of their names',
  access: 'public',
  format: 'json',
  query: pageParameters_,
  response: triggerPage,
})

export const triggerRoute = defineRoute({
  id: 'ledger.trigger',
  method: 'GET',
  path: '/v1/triggers/{id}',
  summary: 'A trigger: what sets it off, what it does, how often it still runs',
  access: 'public',
  format: 'json',
  params: namePath_,
  response: triggerView,
})

export const multisigRoute = defineRoute({
  id: 'multisig.account',
  method: 'GET',
  path: '/v1/multisig/{account}',
  summary: 'Policy of a multisig account with its open proposals and the last closed ones',
  access: 'public',
  format: 'json',
  params: accountPath_,
  response: multisigView,
})

export const proposalRoute = defineRoute({
  id: 'multisig.proposal',
  method: 'GET',
  path: '/v1/multisig/{account}/proposals/{proposal}',
  summary: 'A proposal: its instructions, who approved, what is needed',
  access: 'public',
  format: 'json',
  params: proposalPath_,
  response: proposalView,
})

export const multisigAddressRoute = defineRoute({
  id: 'multisig.address',
  method: 'POST',
  path: '/v1/multisig/address',
  summary: 'Address of the account that starts with a policy, and the policy in its canonical order',
  access: 'public',
  format: 'json',
  body: { as: 'record', schema: multisigPolicy, maxBytes: POLICY_BODY_MAX_BYTES },
  response: address_,
})

export const controlsRoute = defineRoute({
  id: 'controls.list',
  method: 'GET',
  path: '/v1/controls/{definition}',
  summary: 'Balances of a definition that are frozen, blacklisted or capped',
  access: 'public',
  format: 'json',
  params: definitionPath_,
  query: pageParameters_,
  response: controlPage,
})

export const controlRoute = defineRoute({
  id: 'controls.balance',
  method: 'GET',
  path: '/v1/controls/{definition}/{account}',
  summary: 'What bars or caps a balance, and what may still leave it',
  access: 'public',
  format: 'json',
  params: controlPath_,
  response: controlView,
})

export const controlCheckRoute = defineRoute({
  id: 'controls.check',
  method: 'GET',
  path: '/v1/controls/{definition}/{account}/check',
  summary: 'Whether a transfer from a balance would be barred as the state stands',
  access: 'public',
  format: 'json',
  params: controlPath_,
  query: checkParameters_,
  errors: ['bad_amount'],
  response: controlCheck,
})

/** All rows, in the order of the document. */
export const OBJECT_ROUTES = routeTable(
  nftsRoute,
  nftRoute,
  accountGrantsRoute,
  rolesRoute,
  roleRoute,
  triggersRoute,
  triggerRoute,
  multisigAddressRoute,
  multisigRoute,
  proposalRoute,
  controlsRoute,
  controlRoute,
  controlCheckRoute,
)
