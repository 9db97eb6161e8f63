/** The queue of admitted transactions and what a proposer draws from it. */
export * from './draw.js'
export * from './limits.js'
export type { PauseCause } from './pauses.js'
export * from './queue.js'
export * from './transaction.js'
