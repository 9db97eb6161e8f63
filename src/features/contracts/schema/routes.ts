/** Owns the routes of contracts (specification 4.3). */

import { word } from '../../../api/enum-text.js'
import { stateRecordProof } from '../../../api/index.js'
import { pageFields } from '../../../api/paging.js'
import { defineRoute, JSON_BODY_MAX_BYTES, publicRead } from '../../../api/route.js'
import { hash32, hex, type Infer, option, struct } from '../../../codec/index.js'
import { accountId, domainId } from '../../../model/index.js'
import { provenFrom } from '../../explorer/schema/queries.js'
import { queries } from './queries.js'
import { code, manifest, STATE_KEY_MAX_BYTES } from './records.js'
import * as views from './views.js'

const address_ = struct('ContractPath', { address: accountId })
const hash_ = struct('ContractHashPath', { hash: hash32 })
const noContract = (): string => 'the contract does not exist'
const noArtifact = (): string => 'the artifact does not exist'

const listParameters_ = struct('ContractsParameters', { domain: option(domainId), ...pageFields })
const keyText = hex(STATE_KEY_MAX_BYTES)
const stateParameters_ = struct('ContractStateParameters', {
  address: accountId,
  path: option(keyText),
  paths: option(views.statePaths),
  prefix: option(keyText),
  ...pageFields,
})
const historyParameters_ = struct('ContractHistoryParameters', { contract: accountId, ...pageFields })
const rollupParameters_ = struct('ContractRollupParameters', {
  contract: accountId,
  window: option(word('ContractRollupWindow', ['hour', 'day'])),
})

export const contractsRoute = defineRoute({
  ...publicRead,
  id: 'contracts.list',
  path: '/v1/contracts/instances',
  summary: 'Contracts in the order of their addresses, optionally of one domain',
  query: listParameters_,
  response: views.instancePage,
}).byPage(queries.contracts, ({ query }) => ({
  domain: query.domain,
}))
export const instanceRoute = defineRoute({
  ...publicRead,
  id: 'contracts.instance',
  path: '/v1/contracts/instances/{address}',
  summary: 'A contract: its artifact, manifest, alias and storage use',
  params: address_,
  response: views.instanceView,
}).byQuery(queries.contractInstance, ({ params }) => params, noContract)
export const codeRoute = defineRoute({
  ...publicRead,
  id: 'contracts.code',
  path: '/v1/contracts/code/{hash}',
  summary: 'An artifact by its hash: its registrant and its manifest',
  params: hash_,
  response: views.artifactView,
}).byQuery(queries.contractArtifact, ({ params }) => params, noArtifact)
export const codeBytesRoute = defineRoute({
  ...publicRead,
  id: 'contracts.code_bytes',
  path: '/v1/contracts/code-bytes/{hash}',
  summary: 'The module of an artifact',
  params: hash_,
  response: views.codeView,
}).byQuery(queries.contractCode, ({ params }) => params, noArtifact)
/** Input for verifying a contract from the genesis hash alone: its proven row, and the parts of its artifact. */
export interface ProvenContract extends Infer<typeof provenContract> {}
export const provenContract = struct('ProvenContract', {
  /** Row of the contract in the state. Its value names the artifact: the hash of the module with the manifest. */
  proof: stateRecordProof,
  manifest,
  code,
})
export interface ProvenContractParameters extends Infer<typeof provenParameters_> {}
const provenParameters_ = struct('ProvenContractParameters', { from: provenFrom })
export const provenContractRoute = defineRoute({
  ...publicRead,
  id: 'contracts.bundle.get',
  path: '/v1/contracts/bundle/{address}',
  summary: 'A contract that can be verified offline against the genesis hash: its proven row, manifest and module',
  params: address_,
  query: provenParameters_,
  errors: ['not_found'],
  response: provenContract,
})
export const stateRoute = defineRoute({
  ...publicRead,
  id: 'contracts.state',
  path: '/v1/contracts/state',
  summary: 'Storage of a contract: one key, up to 16 keys separated by commas, or all keys with a prefix',
  query: stateParameters_,
  response: views.statePage,
}).byPage(
  queries.contractState,
  ({ query }) => ({
    address: query.address,
    keys: [
      ...(query.path === undefined ? [] : [query.path]),
      ...(query.paths?.split(',') ?? []).map((one) => Buffer.from(one, 'hex')),
    ],
    prefix: query.prefix,
  }),
  noContract,
)
export const eventsRoute = defineRoute({
  ...publicRead,
  id: 'contracts.events',
  path: '/v1/contracts/events',
  summary: 'Events of a contract, newest first',
  query: historyParameters_,
  response: views.eventPage,
}).byPage(queries.contractEvents, ({ query }) => ({
  address: query.contract,
}))
export const activityRoute = defineRoute({
  ...publicRead,
  id: 'contracts.activity',
  path: '/v1/contracts/activity',
  summary: 'Calls of a contract by transactions, newest first',
  query: historyParameters_,
  response: views.activityPage,
}).byPage(queries.contractActivity, ({ query }) => ({
  address: query.contract,
}))
const WINDOW_MS = { hour: 3_600_000, day: 86_400_000 } as const
export const rollupsRoute = defineRoute({
  ...publicRead,
  id: 'contracts.rollups',
  path: '/v1/contracts/rollups',
  summary: 'Calls, failures, gas, events and callers of a contract by hour or day, of its newest 500 calls',
  query: rollupParameters_,
  response: views.rollupView,
}).byQuery(queries.contractRollups, ({ query }) => ({
  address: query.contract,
  windowMs: WINDOW_MS[query.window ?? 'hour'],
}))

const post = { method: 'POST', access: 'public', format: 'json' } as const
export const resolveRoute = defineRoute({
  ...post,
  id: 'contracts.aliases.resolve',
  path: '/v1/contracts/aliases/resolve',
  summary: 'The contract that an alias is currently bound to',
  body: { as: 'record', schema: views.aliasQuery, maxBytes: 1_024 },
  response: views.aliasView,
}).byQuery(
  queries.contractAlias,
  ({ body }) => body,
  () => 'no contract has this alias',
)
export const viewRoute = defineRoute({
  ...post,
  id: 'contracts.view',
  path: '/v1/contracts/view',
  summary: 'Run a view of a contract on the last committed state: free and unsigned, with height and state root',
  body: { as: 'record', schema: views.trial, maxBytes: JSON_BODY_MAX_BYTES },
  response: views.trialResult,
}).byQuery(queries.contractView, ({ body }) => body, noContract)
export const viewBatchRoute = defineRoute({
  ...post,
  id: 'contracts.view.batch',
  path: '/v1/contracts/view/batch',
  summary: 'Run up to 16 views in order',
  body: { as: 'record', schema: views.viewBatch, maxBytes: JSON_BODY_MAX_BYTES },
  errors: ['not_found'],
  response: views.viewBatchResults,
})
export const simulateRoute = defineRoute({
  ...post,
  id: 'contracts.simulate',
  path: '/v1/contracts/simulate',
  summary: 'Simulate a call on the last committed state: gas, result, events, logs, and the place of a trap',
  body: { as: 'record', schema: views.trial, maxBytes: JSON_BODY_MAX_BYTES },
  response: views.simulation,
}).byQuery(queries.contractSimulation, ({ body }) => body, noContract)
