/** Owns the fair queue: parties are served in turn, so that a busy party delays only itself. */
import { Fifo } from './fifo.js'
import { Quota, type QuotaLimits } from './quota.js'

/** Waiting items of one party. */
interface Line<P, T> {
  readonly party: P
  readonly items: Fifo<T>
  /** True while the line is in the round-robin order. */
  inTurn: boolean
  held: boolean
}

/**
 * Items in round-robin order of their parties, first-in first-out within a party. Bounded by a quota; every operation
 * is amortised O(1).
 */
export class FairQueue<P, T> {
  private readonly lines = new Map<P, Line<P, T>>()
  private readonly turns = new Fifo<Line<P, T>>()
  private readonly quota: Quota<P>

  constructor(limits: QuotaLimits) {
    this.quota = new Quota(limits)
  }

  /** Number of waiting items of all parties. */
  get size(): number {
    return this.quota.size
  }

  /** Number of waiting items of a party. */
  sizeOf(party: P): number {
    return this.quota.of(party)
  }

  /** Add an item after the other items of its party; false if the quota is exhausted. */
  push(party: P, item: T, isPreferred = false): boolean {
    if (!this.quota.take(party, isPreferred)) return false
    const line = this.lineOf(party)
    line.items.push(item)
    this.enter(line)
    return true
  }

  /** Remove and return the next item; undefined if only items of paused parties wait. */
  take(): T | undefined {
    for (let line = this.turns.shift(); line !== undefined; line = this.turns.shift()) {
      line.inTurn = false
      if (line.held) continue
      const item = line.items.shift() as T
      this.quota.give(line.party)
      if (line.items.length > 0) this.enter(line)
      else this.lines.delete(line.party)
      return item
    }
    return undefined
  }

  /** Skip a party until it is released. */
  hold(party: P): void {
    this.lineOf(party).held = true
  }

  /** Resume a paused party, after the others. */
  release(party: P): void {
    const line = this.lines.get(party)
    if (line === undefined) return
    line.held = false
    if (line.items.length > 0) this.enter(line)
    else this.lines.delete(party)
  }

  private lineOf(party: P): Line<P, T> {
    const known = this.lines.get(party)
    if (known !== undefined) return known
    const line: Line<P, T> = { party, items: new Fifo(), inTurn: false, held: false }
    this.lines.set(party, line)
    return line
  }

  private enter(line: Line<P, T>): void {
    if (line.inTurn || line.held) return
    line.inTurn = true
    this.turns.push(line)
  }
}
