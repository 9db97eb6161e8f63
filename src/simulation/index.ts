/** The deterministic simulator: the real consensus machine under a virtual clock, network and disk, from one seed. */
import { SCHEDULER_NAMES, type Scenario, type SchedulerName, scenarioOf } from './scenario.js'
import { type Trace, type Verdict, World } from './world.js'

export { type FaultyMember, SCHEDULER_NAMES, type Scenario, type SchedulerName, scenarioOf } from './scenario.js'
export type { Trace, Verdict } from './world.js'

/** Runs a scenario. */
export const simulate = (scenario: Scenario, trace?: Trace): Verdict => new World(scenario, trace).run()

/** Seeds in order under the schedulers; stops with the first verdict that has a fault. */
export function* runSeeds(
  first: number,
  last: number,
  schedulers: readonly SchedulerName[] = SCHEDULER_NAMES,
): Generator<Verdict> {
  for (let seed = first; seed <= last; seed++) {
    for (const scheduler of schedulers) {
      const verdict = simulate(scenarioOf(scheduler, seed))
      yield verdict
      if (verdict.fault !== undefined) return
    }
  }
}

/** The command that runs one seed again. */
export const reproduceCommand = (scheduler: SchedulerName, seed: number): string =>
  `causeway sim run --seeds ${seed}..${seed} --scheduler ${scheduler}`
