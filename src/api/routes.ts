import { type Receipt, receipt, TRANSACTION_MAX_BYTES, transactionPayload } from '../model/index.js'
import {
  CONSENSUS_STATUS_FRAME,
  QUERY_ANSWER_FRAME,
  RECEIPT_FRAME,
  SIGNED_QUERY_FRAME,
  TRANSACTION_FRAME,
} from './frames.js'
import { DATASPACE_HEADER, LANE_HEADER } from './headers.js'
import { type AnyRoute, defineRoute, JSON_BODY_MAX_BYTES, routeTable } from './route.js'
import { ADMISSION_ERRORS } from './route-errors.js'
import { consensusStatus } from './schema/consensus.js'
import { dataModel } from './schema/data-model.js'
import { dryRun } from './schema/dry-run.js'
import { apiVersion, apiVersions, capabilities, health, nodeStatus, peerList } from './schema/node.js'
import { type QueryAnswer, queryAnswer } from './schema/query.js'
import { rbcSessionList, rbcStatus } from './schema/rbc.js'
import { timeNow, timeStatus } from './schema/time.js'

/** Maximum size of a transaction frame, in bytes: the record and its head, which has 40 bytes. */
const TRANSACTION_BODY_MAX_BYTES = TRANSACTION_MAX_BYTES + 1024

/** Maximum size of a signed query, in bytes: input and predicate of 16 KiB each, and their JSON form. */
const QUERY_BODY_MAX_BYTES = 64 * 1024

export const healthRoute = defineRoute({
  id: 'health',
  method: 'GET',
  path: '/health',
  summary:
    'Liveness: succeeds while the process runs and is not halted, also during start-up. Readiness is in /status.',
  access: 'public',
  format: 'json',
  response: health,
  errors: ['node_halted'],
  whileHalted: true,
  unlimited: true,
})
export const healthV1Route = defineRoute({ ...healthRoute, id: 'health.v1', path: '/v1/health' })

export const statusRoute = defineRoute({
  id: 'status',
  tool: { name: 'status', about: 'State of the node: height, peers, queue, sync state' },
  method: 'GET',
  path: '/status',
  summary: 'Counters of the node, its sync and quorum state, and the reason of a halt',
  access: 'public',
  profile: 'status',
  format: 'json',
  response: nodeStatus,
  whileHalted: true,
})

export const peersRoute = defineRoute({
  id: 'peers',
  tool: { name: 'peers', about: 'Peers of the node with their links and heights' },
  method: 'GET',
  path: '/peers',
  summary: 'Peers of the node with the state of their links',
  access: 'public',
  format: 'json',
  response: peerList,
  whileHalted: true,
})

export const metricsRoute = defineRoute({
  id: 'metrics',
  method: 'GET',
  path: '/metrics',
  summary: 'Metrics in the text exposition format 0.0.4',
  access: 'public',
  profile: 'metrics',
  format: 'metrics',
  whileHalted: true,
})

export const openapiRoute = defineRoute({
  id: 'openapi',
  method: 'GET',
  path: '/openapi',
  summary: 'OpenAPI document of the routes that this node serves to the caller',
  access: 'public',
  format: 'json',
  whileHalted: true,
})
export const openapiJsonRoute = defineRoute({ ...openapiRoute, id: 'openapi.json', path: '/openapi.json' })

export const apiVersionRoute = defineRoute({
  id: 'api.version',
  method: 'GET',
  path: '/api_version',
  summary: 'Default version of the HTTP interface',
  access: 'public',
  format: 'json',
  response: apiVersion,
  whileHalted: true,
})

export const apiVersionsRoute = defineRoute({
  id: 'api.versions',
  method: 'GET',
  path: '/v1/api/versions',
  summary: 'Supported versions of the HTTP interface',
  access: 'public',
  format: 'json',
  response: apiVersions,
  whileHalted: true,
})

export const capabilitiesRoute = defineRoute({
  id: 'node.capabilities',
  method: 'GET',
  path: '/v1/node/capabilities',
  summary: 'Settings that a client needs to build transactions: chain, ABI, address prefix, limits',
  access: 'public',
  format: 'json',
  response: capabilities,
  whileHalted: true,
})

export const schemaRoute = defineRoute({
  id: 'schema',
  method: 'GET',
  path: '/schema',
  summary: 'Layouts of all exchanged records: frames, instructions, events, queries',
  access: 'public',
  format: 'json',
  response: dataModel,
  whileHalted: true,
})

export const timeNowRoute = defineRoute({
  id: 'time.now',
  method: 'GET',
  path: '/v1/time/now',
  summary: 'Clock of the node and its offset from the peers',
  access: 'public',
  format: 'json',
  response: timeNow,
  whileHalted: true,
})

export const timeStatusRoute = defineRoute({
  id: 'time.status',
  method: 'GET',
  path: '/v1/time/status',
  summary: "Clock of the node beside each peer's: offsets, round trips, health",
  access: 'public',
  format: 'json',
  response: timeStatus,
  whileHalted: true,
})

export const consensusStatusRoute = defineRoute({
  id: 'consensus.status',
  tool: {
    name: 'consensus',
    about: 'Consensus state: committee, view, phases, certificates, and the reason of a stall',
  },
  method: 'GET',
  path: '/v1/consensus/status',
  summary: 'Consensus in detail: last commit certificate, state root, view, committee, phases, stall',
  access: 'public',
  profile: 'status',
  format: 'binary-or-json',
  response: consensusStatus,
  frame: CONSENSUS_STATUS_FRAME,
  whileHalted: true,
})

export const rbcRoute = defineRoute({
  id: 'consensus.rbc',
  method: 'GET',
  path: '/v1/consensus/rbc',
  summary: 'Reliable broadcast of payloads: sessions, store pressure, backlog per lane and dataspace',
  access: 'public',
  profile: 'developer',
  format: 'json',
  response: rbcStatus,
  whileHalted: true,
})

export const rbcSessionsRoute = defineRoute({
  id: 'consensus.rbc.sessions',
  method: 'GET',
  path: '/v1/consensus/rbc/sessions',
  summary: 'Reliable broadcast sessions: chunk progress, readiness, delivery, backlog per lane and dataspace',
  access: 'public',
  profile: 'developer',
  format: 'json',
  response: rbcSessionList,
  whileHalted: true,
})

export const submitTransactionRoute = defineRoute<undefined, undefined, Uint8Array, Receipt>({
  id: 'transaction.submit',
  method: 'POST',
  path: '/transaction',
  summary: 'Submit a signed transaction; returns a receipt signed by the node',
  access: 'public',
  format: 'binary',
  body: { as: 'canonical', frame: TRANSACTION_FRAME, maxBytes: TRANSACTION_BODY_MAX_BYTES },
  response: receipt,
  frame: RECEIPT_FRAME,
  success: 202,
  errors: ADMISSION_ERRORS,
  headers: {
    location: 'URL of the status of the transaction.',
    [LANE_HEADER]: 'Lane of the transaction.',
    [DATASPACE_HEADER]: 'Dataspace of the lane.',
  },
})

export const submitQueryRoute = defineRoute<undefined, undefined, Uint8Array, QueryAnswer>({
  id: 'query.submit',
  safe: true,
  method: 'POST',
  path: '/query',
  summary: 'Run a signed query: one record, or items by predicate, order and page',
  access: 'public',
  format: 'binary',
  body: { as: 'canonical', frame: SIGNED_QUERY_FRAME, maxBytes: QUERY_BODY_MAX_BYTES },
  response: queryAnswer,
  frame: QUERY_ANSWER_FRAME,
  errors: [
    'chain_mismatch',
    'cursor_expired',
    'cursor_mismatch',
    'forbidden',
    'invalid_field_path',
    'invalid_pagination',
    'not_found',
    'query_too_complex',
    'query_unknown',
    'signature_invalid',
    'signature_unknown_signer',
    'telemetry_profile_restricted',
    'type_mismatch',
    'unknown_account',
  ],
})

export const dryRunRoute = defineRoute({
  id: 'transaction.dry.run',
  tool: { name: 'dry_run', about: 'Effect of an unsigned transaction on the current state; nothing is stored' },
  safe: true,
  method: 'POST',
  path: '/v1/transactions/dry-run',
  summary:
    'Effect of an unsigned transaction on the last block of this node: lane, cost, events, rejection; nothing is stored',
  access: 'public',
  format: 'json',
  body: { as: 'record', schema: transactionPayload, maxBytes: JSON_BODY_MAX_BYTES },
  response: dryRun,
  errors: ADMISSION_ERRORS,
})

/** Rows of the core that do not depend on the ledger. */
export const NODE_ROUTES: readonly AnyRoute[] = routeTable(
  healthRoute,
  healthV1Route,
  statusRoute,
  peersRoute,
  metricsRoute,
  openapiRoute,
  openapiJsonRoute,
  apiVersionRoute,
  apiVersionsRoute,
  schemaRoute,
  capabilitiesRoute,
  timeNowRoute,
  timeStatusRoute,
  consensusStatusRoute,
  rbcRoute,
  rbcSessionsRoute,
  submitTransactionRoute,
  submitQueryRoute,
  dryRunRoute,
)
