/** Owns the rows of the route table by name, for programs: `client.route(routes.accounts.account, { params: { id } })`. */

import { CONSENSUS } from '../api/consensus-routes.js'
import type { Routes } from '../api/feature.js'
import { OPERATOR } from '../api/operator-routes.js'
import type { RouteStream } from '../api/route.js'
import * as node from '../api/routes.js'
import { SNAPSHOTS } from '../api/snapshot-routes.js'
import * as schemas from '../features/schemas.js'

const OWN = {
  node: {
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
    consensusStatus: node.consensusStatusRoute,
    rbc: node.rbcRoute,
    rbcSessions: node.rbcSessionsRoute,
  },
  consensus: CONSENSUS,
  operator: OPERATOR,
  snapshots: SNAPSHOTS,
} as const

type Schemas = typeof schemas
/** Rows with a response; streams have their own iterators. */
type Answering<R extends Routes> = {
  readonly [Name in keyof R as R[Name] extends { readonly stream: RouteStream } ? never : Name]: R[Name]
}
type FeatureRoutes = { readonly [Feature in keyof Schemas]: Answering<Schemas[Feature]['routes']> }

const answering = (rows: Routes): Routes =>
  Object.fromEntries(Object.entries(rows).filter(([, { stream }]) => stream === undefined))

const OF_FEATURES = Object.fromEntries(
  Object.entries(schemas).map(([name, { routes }]) => [name, answering(routes)]),
) as FeatureRoutes

for (const name of Object.keys(OF_FEATURES)) {
  if (name in OWN) throw new Error(`the feature ${name} has the name of built-in routes`)
}

/** Every route with a record or text response; routes of features by feature name. */
export const routes: typeof OWN & FeatureRoutes = { ...OWN, ...OF_FEATURES }
