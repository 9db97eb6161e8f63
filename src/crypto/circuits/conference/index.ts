/** Circuits of conferences (docs/concepts/conference.md): provers, verification, statements. */
export type { ProofOutcome } from '../proof-outcomes.js'
export * from './key.js'
export * from './prove.js'
export * from './statement.js'
export * from './verify.js'
