/** The node configuration: its typed form, how it is read, how it is written. */

export type { ApiToken } from '../../config/index.js'
export {
  type FileFault,
  faultsError,
  formatHostPort,
  type HostPort,
  isLoopback,
  parseHostPort,
} from '../../config/index.js'
export { nearest } from '../../model/suggest.js'
export type { NodeConfig, SignerSection } from './config.js'
export { type ExplainedKey, explainNodeKey } from './explain.js'
export {
  LOG_LEVELS,
  type LogLevel,
  NODE_KEYS,
  RELOADED_KEYS,
  TELEMETRY_PROFILES,
  type TelemetryProfile,
} from './keys.js'
export { ENV_PREFIX, envNameOf, loadNodeConfig, parseNodeConfig, pathsIn } from './load.js'
export { withText } from './pin.js'
export { type NodeValues, nodeConfigJsonSchema, renderNodeConfig } from './render.js'
