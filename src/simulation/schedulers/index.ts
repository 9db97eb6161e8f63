/** The schedulers by name. */
import type { SchedulerName } from '../scenario.js'
import { cuts, uniform } from './cuts.js'
import { hiddenCommit } from './hidden-commit.js'
import type { Scheduler, Stage } from './scheduler.js'

export type { Scheduler, Stage } from './scheduler.js'

const SCHEDULERS: Readonly<Record<SchedulerName, (stage: Stage) => Scheduler>> = {
  uniform,
  cuts,
  'hidden-commit': hiddenCommit,
}

export const schedulerOf = (name: SchedulerName, stage: Stage): Scheduler => SCHEDULERS[name](stage)
