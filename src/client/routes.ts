/** Owns the rows of the route table by name, for programs: `client.route(routes.account, { params: { id } })`. */

import { CONSENSUS } from '../api/consensus-routes.js'
import { OPERATOR } from '../api/operator-routes.js'
import * as node from '../api/routes.js'
import * as schemas from '../features/schemas.js'

const { explorerAccounts, explorerAccount, ...accounts } = schemas.accounts.routes
const { explorerAssets, explorerDefinitions, explorerDefinition, ...assets } = schemas.assets.routes
const {
  explorerTransactions,
  explorerTransaction,
  explorerMetrics,
  blockStream: _blocks,
  transactionStream: _transactions,
  instructionStream: _instructions,
  ...history
} = schemas.explorer.routes

/** Every route that answers a request with one record or text; streams have iterators of their own. */
export const routes = {
  health: node.healthRoute,
  healthV1: node.healthV1Route,
  status: node.statusRoute,
  peers: node.peersRoute,
  metrics: node.metricsRoute,
  openapi: node.openapiRoute,
  openapiJson: node.openapiJsonRoute,
  apiVersion: node.apiVersionRoute,
  apiVersions: node.apiVersionsRoute,
  capabilities: node.capabilitiesRoute,
  schema: node.schemaRoute,
  timeNow: node.timeNowRoute,
  timeStatus: node.timeStatusRoute,
  submitTransaction: node.submitTransactionRoute,
  submitQuery: node.submitQueryRoute,
  dryRun: node.dryRunRoute,
  transactionStatus: node.transactionStatusRoute,
  consensusStatus: node.consensusStatusRoute,
  rbc: node.rbcRoute,
  rbcSessions: node.rbcSessionsRoute,
  consensus: CONSENSUS,
  operator: OPERATOR,
  runtime: schemas.upgrades.routes,
  ...schemas.domains.routes,
  ...accounts,
  ...assets,
  ...schemas.nfts.routes,
  ...schemas.permissions.routes,
  ...schemas.triggers.routes,
  ...schemas.multisig.routes,
  ...schemas.parameters.routes,
  ...history,
  explorer: {
    accounts: explorerAccounts,
    account: explorerAccount,
    assets: explorerAssets,
    definitions: explorerDefinitions,
    definition: explorerDefinition,
    transactions: explorerTransactions,
    transaction: explorerTransaction,
    metrics: explorerMetrics,
  },
  lanes: schemas.lanes.routes,
  iso20022: schemas.iso20022.routes,
} as const
