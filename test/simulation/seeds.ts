/** Owns the seeds that the suites run: a slice in every test run, long counts by `npm run soak`. */
import { reproduceCommand, type SchedulerName, scenarioOf, simulate } from '../../src/simulation/index.js'
import { slice } from '../suites.mjs'

/** Seeds per scheduler. */
export const SEEDS = Number(process.env.SIM_SEEDS ?? slice(100, 250))
export const FIRST_SEED = Number(process.env.SIM_FIRST ?? 1)

/** Faults found by a scheduler, each with the command that shows it again; a few suffice. */
export function faultsOf(scheduler: SchedulerName): string[] {
  const found: string[] = []
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS && found.length < 5; seed++) {
    const { fault } = simulate(scenarioOf(scheduler, seed))
    if (fault !== undefined) found.push(`${reproduceCommand(scheduler, seed)}: ${fault}`)
  }
  return found
}
