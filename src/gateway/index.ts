/** The HTTP gateway of a node. */
export { type ApiToken, DEFAULT_GATEWAY_CONFIG, type GatewayConfig, type GatewaySettings } from './config.js'
export { Gateway, type GatewayModules } from './gateway.js'
export { OWN_ROUTES } from './handlers/index.js'
export { operatorsOf } from './operators.js'
export { OperatorSessions } from './sessions.js'
export { StartingGateway, type StartingNode } from './starting.js'
export { type GatewayTls, readGatewayTls } from './tls.js'
