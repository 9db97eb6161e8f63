/** Owns work on many items in slices, so that it does not block the main thread, which also votes. */
import { setImmediate } from 'node:timers/promises'

/** Maximum time of a slice of a query, or of the filtering of a block, in ms: well below the time of a vote. */
export const SLICE_MS = 10
/** Number of merge steps between two checks of the clock; each step may compare texts of 16 KiB. */
const STEPS_PER_LOOK = 16

export class Slices {
  private startedMs: number

  /** `pause` resolves after other pending work has run. */
  constructor(
    private readonly monotonicMs: () => number,
    private readonly pause: () => Promise<unknown> = () => setImmediate(),
  ) {
    this.startedMs = monotonicMs()
  }

  /** Pause if this slice has used its time; otherwise undefined. */
  private breath(): Promise<void> | undefined {
    if (this.monotonicMs() - this.startedMs < SLICE_MS) return undefined
    return this.pause().then(() => {
      this.startedMs = this.monotonicMs()
    })
  }

  /** Items that pass a test, in order. */
  async filter<T>(items: readonly T[], test: (item: T) => boolean): Promise<T[]> {
    const found: T[] = []
    for (const item of items) {
      if (test(item)) found.push(item)
      const over = this.breath()
      if (over !== undefined) await over
    }
    return found
  }

  /** Map items in order, with pauses between slices. */
  async map<T, R>(items: readonly T[], make: (item: T) => R): Promise<R[]> {
    const made: R[] = []
    for (const item of items) {
      made.push(make(item))
      const over = this.breath()
      if (over !== undefined) await over
    }
    return made
  }

  /** Sort items; the order of equal items is kept. */
  async sort<T>(items: readonly T[], order: (a: T, b: T) => number): Promise<T[]> {
    let from = [...items]
    for (let width = 1; width < from.length; width *= 2) {
      const merged: T[] = []
      for (let start = 0; start < from.length; start += 2 * width) {
        let left = start
        let right = Math.min(start + width, from.length)
        const [leftEnd, rightEnd] = [right, Math.min(start + 2 * width, from.length)]
        while (left < leftEnd || right < rightEnd) {
          const isLeft = right === rightEnd || (left < leftEnd && order(from[left] as T, from[right] as T) <= 0)
          merged.push(from[isLeft ? left++ : right++] as T)
          if (merged.length % STEPS_PER_LOOK !== 0) continue
          const over = this.breath()
          if (over !== undefined) await over
        }
      }
      from = merged
    }
    return from
  }
}
