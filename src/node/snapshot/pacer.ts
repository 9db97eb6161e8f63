/** Owns the pace of long work on a thread that has more urgent work: short stretches with rests between them. */
import { SYSTEM_CLOCKS } from '../../base/clocks.js'
import { sleep } from '../../base/sleep.js'

/** A stretch of work, in ms: what a message to the thread waits at most for it. */
const WORK_MS = 2
/** Rest after it, in ms: a sixth of the thread, so that payments hardly see it. */
const REST_MS = 10
/** A rest that ends so much late, in ms, says that the thread, or all processors, are busy. */
const LATE_MS = 3
/** Rests after one stretch beside payments that keep the node busy: long work has minutes, a payment has not. */
export const BUSY_RESTS_MAX = 5

/** Clock of a thread, in ms, and its pause function. */
export interface PaceClock {
  monotonicMs(): number
  rest(ms: number): Promise<void>
}

const THREAD_CLOCK: PaceClock = { monotonicMs: SYSTEM_CLOCKS.monotonicMs, rest: sleep }

/** Yield to other work of the thread. */
export class Pacer {
  private sinceMs: number

  /** @param restsMax rests after the stretch that is over, at most: another one follows each that ends late */
  constructor(
    private readonly restsMax: () => number,
    private readonly clock = THREAD_CLOCK,
  ) {
    this.sinceMs = clock.monotonicMs()
  }

  /** Resolves at once within a stretch of work, after a rest when it is over. */
  async step(): Promise<void> {
    const { clock } = this
    if (clock.monotonicMs() - this.sinceMs < WORK_MS) return
    const restsMax = this.restsMax()
    for (let rests = 0; rests < restsMax; rests += 1) {
      const fromMs = clock.monotonicMs()
      await clock.rest(REST_MS)
      if (clock.monotonicMs() - fromMs < REST_MS + LATE_MS) break
    }
    this.sinceMs = clock.monotonicMs()
  }
}

/** Work that nothing waits beside. */
export const UNPACED: Pick<Pacer, 'step'> = { step: async () => {} }
