/** The real state machine beside docs/spec/height.qnt: traces of the specification are followed step by step. */
export { type Divergence, follow, healAlong } from './follow.js'
export { readTrace, type Trace } from './itf.js'
