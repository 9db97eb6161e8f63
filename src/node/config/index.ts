/** The node configuration: its typed form, how it is read, how it is written. */

export { nearest } from '../../model/suggest.js'
export type { NodeConfig } from './config.js'
export { type ExplainedKey, explainNodeKey } from './explain.js'
export { type FileFault, faultsError } from './faults.js'
export { formatHostPort, type HostPort, isLoopback, parseHostPort } from './host-port.js'
export { LOG_LEVELS, type LogLevel, NODE_KEYS, TELEMETRY_PROFILES, type TelemetryProfile } from './keys.js'
export type { ApiToken } from './kinds.js'
export { ENV_PREFIX, envNameOf, loadNodeConfig, parseNodeConfig } from './load.js'
export { withText } from './pin.js'
export { type NodeValues, nodeConfigJsonSchema, renderNodeConfig } from './render.js'
