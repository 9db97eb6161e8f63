/** The HTTP gateway of a node. */
export {
  type ApiToken,
  DEFAULT_GATEWAY_CONFIG,
  formatHostPort,
  type GatewayConfig,
  type GatewaySettings,
  gatewayConfig,
  type HostPort,
  isLoopback,
  parseHostPort,
  type RateLimit,
} from './config.js'
export { Gateway, type GatewayModules } from './gateway.js'
export { OWN_ROUTES } from './handlers/index.js'
export { operatorsOf } from './operators.js'
export type { GatewayLogger } from './replies.js'
export { OperatorSessions } from './sessions.js'
export { StartingGateway, type StartingNode } from './starting.js'
export { type GatewayTls, readGatewayTls } from './tls.js'
