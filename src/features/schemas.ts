/** The features as clients see them, one line each; `composed.ts` collects what they declare. */
export { coreSchema as core } from './core/schema/index.js'
export { isoSchema as iso20022 } from './iso20022/schema/index.js'
export { laneSchema as lanes } from './lanes/schema/index.js'
