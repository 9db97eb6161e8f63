/** Owns the pace of long work on a thread with more urgent work: short slices with rests between them. */
import { SYSTEM_CLOCKS } from '../../base/clocks.js'
import { sleep } from '../../base/sleep.js'

/** Length of a slice of work, in ms: the maximum delay of a message to the thread. */
const WORK_MS = 2
/** Rest after a slice, in ms. The work then takes a sixth of the thread, which hardly delays payments. */
const REST_MS = 10
/** Delay of the end of a rest, in ms, from which the thread or all processors count as busy. */
const LATE_MS = 3
/** Maximum rests after one slice on a busy node: long work can take minutes, a payment cannot. */
export const BUSY_RESTS_MAX = 5

/** Clock of a thread, in ms, and its pause function. */
export interface PaceClock {
  monotonicMs(): number
  rest(ms: number): Promise<void>
}

const THREAD_CLOCK: PaceClock = { monotonicMs: SYSTEM_CLOCKS.monotonicMs, rest: sleep }

/** Yields to other work of the thread. */
export class Pacer {
  private sinceMs: number

  /** @param restsMax maximum rests after a slice; each rest that ends late is followed by another */
  constructor(
    private readonly restsMax: () => number,
    private readonly clock = THREAD_CLOCK,
  ) {
    this.sinceMs = clock.monotonicMs()
  }

  /** Resolves at once within a slice of work, or after a rest at its end. */
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

/** Pacer without rests, for work that delays nothing else. */
export const UNPACED: Pick<Pacer, 'step'> = { step: async () => {} }
