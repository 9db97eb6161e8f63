/** Owns the rows of the route table by name, for programs: `client.route(routes.account, { params: { id } })`. */

import { CONSENSUS } from '../api/consensus-routes.js'
import { OPERATOR } from '../api/operator-routes.js'
import * as node from '../api/routes.js'
import { explorerMetricsRoute } from '../features/core/schema/explorer-routes.js'
import { LEDGER } from '../features/core/schema/ledger-routes.js'
import * as reads from '../features/core/schema/read-routes.js'
import * as objects from '../features/core/schema/routes.js'
import { RUNTIME } from '../features/core/schema/runtime-routes.js'
import * as schemas from '../features/schemas.js'

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
  parameters: node.parametersRoute,
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
  runtime: RUNTIME,
  domains: LEDGER.domains,
  definitions: LEDGER.definitions,
  account: LEDGER.account,
  statement: LEDGER.statement,
  domain: reads.domainRoute,
  accounts: reads.accountsRoute,
  accountAssets: reads.accountAssetsRoute,
  accountTransactions: reads.accountTransactionsRoute,
  assets: reads.assetsRoute,
  definition: reads.definitionRoute,
  holders: reads.holdersRoute,
  transactions: reads.transactionsRoute,
  transaction: reads.transactionRoute,
  instructions: reads.instructionsRoute,
  instruction: reads.instructionRoute,
  blocks: reads.blocksRoute,
  block: reads.blockRoute,
  explorer: { ...reads.EXPLORER, metrics: explorerMetricsRoute },
  headers: reads.headersRoute,
  stateProof: reads.stateProofRoute,
  blockProof: reads.blockProofRoute,
  finality: reads.finalityRoute,
  nfts: objects.nftsRoute,
  nft: objects.nftRoute,
  accountGrants: objects.accountGrantsRoute,
  roles: objects.rolesRoute,
  role: objects.roleRoute,
  triggers: objects.triggersRoute,
  trigger: objects.triggerRoute,
  multisig: objects.multisigRoute,
  proposal: objects.proposalRoute,
  multisigAddress: objects.multisigAddressRoute,
  controls: objects.controlsRoute,
  control: objects.controlRoute,
  controlCheck: objects.controlCheckRoute,
  lanes: schemas.lanes.routes,
  iso20022: schemas.iso20022.routes,
} as const
