/** The real state machine beside docs/spec/height.qnt; it follows traces of the specification step by step. */
export { type Divergence, follow, healAlong } from './follow.js'
export { readTrace, type Trace } from './itf.js'
