/** Owns the list of the node's own routes with their handlers. */
import {
  type AnyRoute,
  CONSENSUS_ROUTES,
  NODE_ROUTES,
  OPERATOR_ROUTES,
  type RouteFamily,
  SNAPSHOT_ROUTES,
  STREAM_ROUTES,
} from '../../api/index.js'
import type { NodeServices } from '../../api/services.js'
import type { Clocks } from '../../base/clocks.js'
import type { GatewayConfig } from '../config.js'
import type { OperatorSessions } from '../sessions.js'
import { consensusHandlers } from './consensus.js'
import { dataModelHandlers } from './data-model.js'
import { documentHandlers } from './documents.js'
import { nodeHandlers, snapshotHandlers, timeHandlers } from './node.js'
import { operatorHandlers } from './operator.js'
import { queryHandlers } from './query.js'
import { transactionHandlers } from './transaction.js'

/** Routes of the node itself, in the order of the document. */
export const OWN_ROUTES: readonly AnyRoute[] = [
  ...NODE_ROUTES,
  ...STREAM_ROUTES,
  ...CONSENSUS_ROUTES,
  ...OPERATOR_ROUTES,
  ...SNAPSHOT_ROUTES,
]

/** Routes of the node itself with their handlers. `rows`: all served routes, read when a document is generated. */
export const coreFamily = (
  rows: () => readonly AnyRoute[],
  clocks: Clocks,
  sessions: OperatorSessions,
  config: GatewayConfig,
): RouteFamily<NodeServices> => ({
  routes: OWN_ROUTES,
  handlers: new Map([
    ...nodeHandlers(config),
    ...documentHandlers(rows, config.telemetryProfile),
    ...consensusHandlers,
    ...transactionHandlers,
    ...queryHandlers(clocks, config),
    ...timeHandlers,
    ...operatorHandlers(sessions, clocks),
    ...snapshotHandlers,
    ...dataModelHandlers,
  ]),
})
