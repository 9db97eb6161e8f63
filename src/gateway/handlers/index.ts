/** Owns the list of core routes with their handlers. */
import {
  type AnyRoute,
  CONSENSUS_ROUTES,
  NODE_ROUTES,
  OPERATOR_ROUTES,
  type RouteFamily,
  STREAM_ROUTES,
} from '../../api/index.js'
import type { Metrics } from '../../api/metrics.js'
import { EXPLORER_HANDLERS } from '../../features/core/explorer-handlers.js'
import { OBJECT_HANDLERS } from '../../features/core/object-handlers.js'
import { READ_HANDLERS } from '../../features/core/read-handlers.js'
import { RUNTIME_HANDLERS } from '../../features/core/runtime-handlers.js'
import { EXPLORER_ROUTES } from '../../features/core/schema/explorer-routes.js'
import { READ_ROUTES } from '../../features/core/schema/read-routes.js'
import { OBJECT_ROUTES } from '../../features/core/schema/routes.js'
import { RUNTIME_ROUTES } from '../../features/core/schema/runtime-routes.js'
import type { NodeServices } from '../../features/services.js'
import type { Clocks } from '../caller.js'
import type { GatewayConfig } from '../config.js'
import type { OperatorSessions } from '../sessions.js'
import { consensusHandlers } from './consensus.js'
import { consensusDetailHandlers } from './consensus-detail.js'
import { dataModelHandlers } from './data-model.js'
import { documentHandlers } from './documents.js'
import { LEDGER_ROUTES, ledgerHandlers } from './ledger.js'
import { nodeHandlers } from './node.js'
import { operatorHandlers } from './operator.js'
import { queryHandlers } from './query.js'
import { rbcHandlers } from './rbc.js'
import { timeHandlers } from './time.js'
import { transactionHandlers } from './transaction.js'

/** Rows of the core, in the order of the document. */
export const CORE_ROUTES: readonly AnyRoute[] = [
  ...NODE_ROUTES,
  ...STREAM_ROUTES,
  ...CONSENSUS_ROUTES,
  ...RUNTIME_ROUTES,
  ...OPERATOR_ROUTES,
  ...LEDGER_ROUTES,
  ...OBJECT_ROUTES,
  ...READ_ROUTES,
  ...EXPLORER_ROUTES,
]

/** The core routes and what answers them. `rows`: all rows that the gateway serves, asked for when a document is made. */
export const coreFamily = (
  rows: () => readonly AnyRoute[],
  metrics: Metrics,
  clocks: Clocks,
  sessions: OperatorSessions,
  config: GatewayConfig,
): RouteFamily<NodeServices> => ({
  routes: CORE_ROUTES,
  handlers: new Map([
    ...nodeHandlers(config.disabledFeatures),
    ...documentHandlers(rows, metrics, clocks),
    ...consensusHandlers,
    ...consensusDetailHandlers,
    ...rbcHandlers,
    ...transactionHandlers,
    ...queryHandlers(clocks, config),
    ...timeHandlers,
    ...operatorHandlers(sessions, clocks),
    ...dataModelHandlers,
    ...ledgerHandlers,
    ...OBJECT_HANDLERS,
    ...READ_HANDLERS,
    ...EXPLORER_HANDLERS,
    ...RUNTIME_HANDLERS,
  ]),
})
