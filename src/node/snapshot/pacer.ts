/** Owns the pace of long work on a thread that has more urgent work: short stretches with rests between them. */
import { setTimeout as sleep } from 'node:timers/promises'

/** A stretch of work, in ms: what a message to the thread waits at most for it. */
const WORK_MS = 2
/** Rest after it, in ms: a sixth of the thread, so that payments hardly see it. */
const REST_MS = 10

/** Gives way to other work of its thread. */
export class Pacer {
  private sinceMs = performance.now()

  /** Resolves at once within a stretch of work, after a rest when it is over. */
  async step(): Promise<void> {
    if (performance.now() - this.sinceMs < WORK_MS) return
    await sleep(REST_MS)
    this.sinceMs = performance.now()
  }
}

/** Work that nothing waits beside. */
export const UNPACED: Pick<Pacer, 'step'> = { step: async () => {} }
