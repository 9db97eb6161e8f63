/** Owns the routes that draft contract instructions, and the stream of contract events. */

import { accountText } from '../../../api/query-inputs.js'
import { defineRoute, defineStream, JSON_BODY_MAX_BYTES } from '../../../api/route.js'
import { draftFields, draft as draftRecord, draftRow } from '../../../api/schema/draft.js'
import { gap, startFields } from '../../../api/schema/stream.js'
import { sseOf } from '../../../api/streams.js'
import {
  bytes,
  hash32,
  type Infer,
  list,
  omissible,
  option,
  type Schema,
  struct,
  varint,
} from '../../../codec/index.js'
import { accountId, anyInstruction } from '../../../model/index.js'
import { instructions } from './instructions.js'
import { EVENT_DATA_MAX_BYTES, topic } from './records.js'

/** Maximum steps of a bundle: executed together or not at all. */
const STEPS_MAX = 16

const draft = { ...draftRow, method: 'POST', access: 'public' } as const
const body = <T>(schema: Schema<T>) => ({ as: 'record', schema, maxBytes: JSON_BODY_MAX_BYTES }) as const

export const registerRoute = defineRoute({
  ...draft,
  id: 'contracts.register',
  path: '/v1/contracts/register',
  summary: 'Draft the registration of a module with its manifest',
  body: body(instructions.registerContract.schema),
  response: draftRecord,
})
export const deployRoute = defineRoute({
  ...draft,
  id: 'contracts.deploy',
  path: '/v1/contracts/deploy',
  summary: 'Draft the deployment of an artifact',
  body: body(instructions.deployContract.schema),
  response: draftRecord,
})
export const callRoute = defineRoute({
  ...draft,
  id: 'contracts.call',
  path: '/v1/contracts/call',
  summary: 'Draft a call of a contract',
  body: body(instructions.contractCall.schema),
  response: draftRecord,
})
export const bindRoute = defineRoute({
  ...draft,
  id: 'contracts.aliases.bind',
  path: '/v1/contracts/aliases/bind',
  summary: 'Draft the binding of an alias to a contract',
  body: body(instructions.bindContractAlias.schema),
  response: draftRecord,
})

export interface Bundle extends Infer<typeof bundle_> {}
const bundle_ = struct('ContractBundle', { steps: list(anyInstruction, STEPS_MAX) })
export const bundleRoute = defineRoute({
  ...draft,
  id: 'contracts.bundle',
  path: '/v1/contracts/bundle',
  summary: 'Draft up to 16 deployments, bindings and calls as one atomic transaction',
  body: body(bundle_),
  response: draftRecord,
})

export interface MultisigCall extends Infer<typeof multisigCall_> {}
const multisigCall_ = struct('ContractMultisigCall', {
  /** Multisig account as the caller. */
  account: accountText,
  call: instructions.contractCall.schema,
  /** Lifetime of the proposal in ms of header time; absent: the maximum of the policy. */
  ttlMs: option(varint),
})
export const proposeCallRoute = defineRoute({
  ...draft,
  accounts: { account: 'id', ...draftRow.accounts },
  id: 'contracts.call.multisig.propose',
  path: '/v1/contracts/call/multisig/propose',
  summary: 'Draft the proposal of a call to a multisig account; a member signs and submits it',
  body: body(multisigCall_),
  response: struct('ContractProposalDraft', { ...draftFields, proposal: omissible(hash32) }),
})
export interface MultisigApproval extends Infer<typeof multisigApproval_> {}
const multisigApproval_ = struct('ContractMultisigApproval', { account: accountText, proposal: hash32 })
export const approveCallRoute = defineRoute({
  ...draft,
  accounts: { account: 'id', ...draftRow.accounts },
  id: 'contracts.call.multisig.approve',
  path: '/v1/contracts/call/multisig/approve',
  summary: 'Draft the approval of a proposed call',
  body: body(multisigApproval_),
  response: draftRecord,
})

/** Committed contract event. */
export interface StreamedEvent extends Infer<typeof streamedEvent> {}
export const streamedEvent = struct('ContractStreamedEvent', {
  address: accountId,
  topic,
  data: bytes(EVENT_DATA_MAX_BYTES),
  height: varint,
})
const eventSearch_ = struct('ContractEventSearch', {
  contract: option(accountId),
  topic: option(topic),
  ...startFields,
})
export const eventStream = defineStream({
  method: 'GET',
  access: 'public',
  format: 'sse',
  id: 'contracts.events.sse',
  path: '/v1/contracts/events/sse',
  summary: 'Events of contracts, as they are committed',
  query: eventSearch_,
  stream: sseOf({ 'contract.event': streamedEvent, gap }),
})
