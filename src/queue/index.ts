/** Queue of admitted transactions, and the draw of a proposer. */
export * from './draw.js'
export * from './limits.js'
export type { PauseCause } from './pauses.js'
export * from './queue.js'
export * from './transaction.js'
