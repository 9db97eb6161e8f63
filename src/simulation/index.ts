/** The deterministic simulator: the real consensus machine under a virtual clock, network and disk, from one seed. */
import type { Scenario, SchedulerName } from './scenario.js'
import { type Trace, type Verdict, World } from './world.js'

export { type FaultyMember, SCHEDULER_NAMES, type Scenario, type SchedulerName, scenarioOf } from './scenario.js'
export type { Trace, Verdict } from './world.js'

/** Runs a scenario. */
export const simulate = (scenario: Scenario, trace?: Trace): Verdict => new World(scenario, trace).run()

/** The command that runs one seed again. */
export const reproduceCommand = (scheduler: SchedulerName, seed: number): string =>
  `causeway sim run --seeds ${seed}..${seed} --scheduler ${scheduler}`
