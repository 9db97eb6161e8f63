/** Owns the scheduling of readers of old blocks: a few at a time, in order of arrival. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { READ_BLOCKS } from './limits.js'

/**
 * Maximum concurrent reads of old blocks by readers of one kind: each holds a response of the ledger and decodes a
 * block in one turn of the main thread, and there may be hundreds of readers, each at another height.
 */
export const WALKS_AT_ONCE = 2

export class Walks {
  private running = 0
  private readonly waiting: (() => void)[] = []

  /** Run one stretch of a walk in its turn; until then, callers hold no memory for it. */
  async take<T>(stretch: () => Promise<T>): Promise<T> {
    if (this.running < WALKS_AT_ONCE) this.running += 1
    // A finished stretch passes its place on.
    else await new Promise<void>((begin) => this.waiting.push(begin))
    try {
      await nextTurn()
      return await stretch()
    } finally {
      const next = this.waiting.shift()
      if (next === undefined) this.running -= 1
      else next()
    }
  }

  /**
   * Like `take`, for a reader from a height up to the tip: newest blocks are shared by all live readers, so they do not
   * wait for readers of old blocks.
   */
  takeFrom<T>(height: number, tip: number, stretch: () => Promise<T>): Promise<T> {
    return height > tip - READ_BLOCKS ? stretch() : this.take(stretch)
  }
}
