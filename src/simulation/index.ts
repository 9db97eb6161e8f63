/** The deterministic simulator: the real consensus machine under a virtual clock, network and disk, from one seed. */
import type { Scenario, SchedulerName, SliceName } from './scenario.js'
import type { Scheduler, Stage } from './schedulers/index.js'
import type { Signatures } from './signatures.js'
import type { Trace } from './subject.js'
import { type SimulationResult, World } from './world.js'

export {
  type FaultyMember,
  SCHEDULER_NAMES,
  type Scenario,
  type SchedulerName,
  SLICE_NAMES,
  type SliceName,
  scenarioOf,
} from './scenario.js'
export type { Scheduler, Stage } from './schedulers/index.js'
export { blsSignatures, type Signatures } from './signatures.js'
export { type Divergence, follow, readTrace, type Trace as SpecificationTrace } from './specification/index.js'
export type { Trace } from './subject.js'
export type { SimulationResult } from './world.js'

/** Run a scenario; `direct` replaces its scheduler with a dedicated schedule. */
export const simulate = (
  scenario: Scenario,
  trace?: Trace,
  signatures?: Signatures,
  direct?: (stage: Stage) => Scheduler,
): SimulationResult => new World(scenario, trace, signatures, direct).run()

/** The command that runs one seed again. */
export const reproduceCommand = (scheduler: SchedulerName, seed: number, slice: SliceName = 'full'): string =>
  `causeway sim run --seeds ${seed}..${seed} --scheduler ${scheduler}${slice === 'full' ? '' : ` --slice ${slice}`}`
