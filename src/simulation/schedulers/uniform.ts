/** Owns the uniform scheduler: one random cut of the network after another, whatever the messages say. */
import { type Scheduler, type Stage, scheduleCrashes } from './scheduler.js'

export function uniform(stage: Stage): Scheduler {
  const { clock, random, nodes } = stage
  let cut: ReadonlySet<number> = new Set()
  const shuffle = (): void => {
    if (stage.isHealed()) return
    cut = new Set(random.chance(0.5) ? [] : nodes.filter(() => random.chance(0.4)).map((node) => node.id))
    clock.after(100 + random.next() * 2_000, shuffle)
  }
  return {
    begin() {
      scheduleCrashes(stage)
      shuffle()
    },
    admits: (from, to) => cut.has(from.id) === cut.has(to.id),
  }
}
