/** The circuits of conferences (docs/concepts/conference.md): provers, verdicts, what they are about. */
export * from './key.js'
export * from './prove.js'
export * from './statement.js'
export * from './verify.js'
