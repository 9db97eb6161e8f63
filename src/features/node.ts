/** The services of features on a node, one line each. */
export { isoService as iso20022 } from './iso20022/node/index.js'
export { laneService as lanes } from './lanes/node/index.js'
