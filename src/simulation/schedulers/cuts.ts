/**
 * Owns the schedulers that partition the network, either independently of messages or by height, view and kind of
 * message.
 */
import { subjectOfMessage } from '../subject.js'
import { type Scheduler, type Stage, scheduleCrashes } from './scheduler.js'

/** Random partitions of the network, one after another. */
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

type Cut = (from: number, to: number) => boolean

const ALL: Cut = () => true

/** A random set of dead links for each height, view and kind of message. */
export function cuts(stage: Stage): Scheduler {
  const { random, nodes } = stage
  const drawn = new Map<string, Cut>()
  /** Probability that messages of a kind are cut in a view at all. */
  const severity = 0.3 + random.next() * 0.5

  const some = (rate: number): Set<number> => new Set(nodes.filter(() => random.chance(rate)).map((node) => node.id))

  function draw(): Cut {
    if (!random.chance(severity)) return ALL
    switch (random.below(5)) {
      case 0: {
        const side = some(0.5)
        return (from, to) => side.has(from) === side.has(to)
      }
      case 1: {
        const deaf = some(0.4)
        return (_from, to) => !deaf.has(to)
      }
      case 2: {
        const mute = some(0.4)
        return (from) => !mute.has(from)
      }
      case 3: {
        // Only one node receives it.
        const only = random.pick(nodes).id
        return (_from, to) => to === only
      }
      default: {
        const dead = new Set(nodes.flatMap((a) => nodes.filter(() => random.chance(0.4)).map((b) => a.id * 64 + b.id)))
        return (from, to) => !dead.has(from * 64 + to)
      }
    }
  }

  return {
    begin: () => scheduleCrashes(stage),
    admits(from, to, message) {
      const { kind, height, view } = subjectOfMessage(message)
      // Recovery and Status would undo most cuts, so they are cut harder.
      if (kind === 'status' || kind === 'sync' || kind === 'payload') return random.chance(0.3)
      const slot = `${kind}:${height}:${view}`
      let cut = drawn.get(slot)
      if (cut === undefined) {
        cut = draw()
        drawn.set(slot, cut)
      }
      return cut(from.id, to.id)
    },
  }
}
