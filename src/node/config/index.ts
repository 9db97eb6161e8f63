/** The node configuration: its type, parser and writer. */

export { type FileFault, faultsError, formatHostPort, type HostPort, parseHostPort } from '../../config/index.js'
export { nearest } from '../../model/suggest.js'
export type { NodeConfig, SignerSection } from './config.js'
export { explainNodeKey } from './explain.js'
export { NODE_KEYS, RELOADED_KEYS } from './keys.js'
export { ENV_PREFIX, envNameOf, loadNodeConfig, parseNodeConfig, pathsIn } from './load.js'
export { withText } from './pin.js'
export { nodeConfigJsonSchema, renderNodeConfig } from './render.js'
