/** Exploration of small worlds: every order of deliveries, timer expiries and crashes of the real state machine. */
export { Exploration } from './exploration.js'
export { type Ground, Setting } from './ground.js'
export { type Halted, type Healed, heal, healNodes } from './heal.js'
export {
  COMPLETE_WORLDS,
  faultOfOptions,
  LARGE_WORLDS,
  namedWorld,
  WORLDS,
  type WorldOptions,
} from './options.js'
export { type Compared, compareModes, MergeCheck, walk } from './reductions.js'
export { type Replay, replay } from './replay.js'
export { type Trace, textOfTrace, traceOf, traceRecord } from './trace.js'
