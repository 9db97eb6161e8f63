/** Owns the routes of multisig accounts. */

import { accountText } from '../../../api/query-inputs.js'
import { defineRoute } from '../../../api/route.js'
import { hash32, struct } from '../../../codec/index.js'
import { accountId, multisigPolicy } from '../../../model/index.js'
import { multisigView, proposalView } from './views.js'

/** Largest body of a policy, in bytes of its JSON: 32 members with addresses of 90 characters fit many times. */
const POLICY_BODY_MAX_BYTES = 16 * 1024

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
