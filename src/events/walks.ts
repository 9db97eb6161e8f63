/** Owns the scheduling of readers of old blocks: a few at a time, in order of arrival. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { READ_BLOCKS } from './limits.js'

/**
 * Stretches of old blocks that are read at a time, of readers of one kind: each holds an answer of the ledger and decodes a block in a turn
 * of the main thread, and there may be hundreds of readers, each at another height.
 */
export const WALKS_AT_ONCE = 2

export class Walks {
  private running = 0
  private readonly waiting: (() => void)[] = []

  /** Does one stretch of a walk when it is its turn. Nothing may be held for it before. */
  async take<T>(stretch: () => Promise<T>): Promise<T> {
    if (this.running < WALKS_AT_ONCE) this.running += 1
    // The place of one that ended is given on.
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
   * The same for who goes from a height up to the tip: the newest blocks are shared by all who are live, so that nobody waits there for who
   * reads what is over.
   */
  takeFrom<T>(height: number, tip: number, stretch: () => Promise<T>): Promise<T> {
    return height > tip - READ_BLOCKS ? stretch() : this.take(stretch)
  }
}
