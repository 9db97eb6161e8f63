/** Owns the metering of one transaction or run: units beyond its static cost, and their limit. */
import { type PartUnits, type Rejection, reject } from './contract.js'
import { EVENT_BYTES_PER_UNIT } from './costs.js'

/**
 * One part in so many of these units that triggers which only follow may take together: who is paid, frozen or named by somebody else
 * must not use up what that one needs.
 */
const FOLLOWERS_DIVISOR = 4

/**
 * The units are exhausted, and the run is undone. Thrown while accessing a row or emitting an event, caught by the
 * running list.
 */
export class TeuExhausted extends Error {}

/** Limit of units beyond the static cost. */
export interface ContentLimit {
  /** What it may take by itself. */
  readonly own: number
  /** Remaining units of the block for it; absent: enough. */
  readonly pool?: number
}

/** Used and available units of a run. */
export class Meter {
  /** Units so far: stored lists, rows and events. */
  spent = 0
  /** Part of the units used by triggers that only follow. */
  private followed = 0
  private following = false
  private eventBytes = 0
  /** True once something was refused for want of units. */
  isExhausted = false
  /** Units of the current part and their maximum; undefined outside of a part. */
  private aside: { taken: number; readonly limit: number } | undefined
  private limit: number
  private followersLimit: number

  /** @param own what the run may take by itself, of which followers have their share; `pool`: what is left for it in its block */
  constructor({ own, pool = own }: ContentLimit) {
    this.limit = Math.min(own, pool)
    this.followersLimit = Math.floor(own / FOLLOWERS_DIVISOR)
  }

  /** Does something as a trigger that only follows, where `following` is set. */
  as<T>(following: boolean, work: () => T): T {
    const before = this.following
    this.following = following
    try {
      return work()
    } finally {
      this.following = before
    }
  }

  /** Does something whose units are paid for by other means; where they pass `limit` it throws. */
  apart<T>(limit: number, work: () => T): { readonly result: T; readonly units: number } {
    const before = this.aside
    const aside = { taken: 0, limit }
    this.aside = aside
    try {
      const result = work()
      return { result, units: aside.taken }
    } finally {
      this.aside = before
    }
  }

  /**
   * Does a part of a run within a share of its units. Triggers that only follow have their fraction of the share. A part that needs
   * more than `max` ends by itself; one that is cut short by what is left counts as exhausted, since that may differ with the block.
   */
  within<T>({ max, kept }: PartUnits, work: () => T): T {
    const { limit, followersLimit, followed, isExhausted } = this
    const left = Math.max(0, this.left() - kept)
    const share = Math.min(max, left)
    this.limit = this.spent + share
    this.followersLimit = this.following ? share : Math.floor(share / FOLLOWERS_DIVISOR)
    this.followed = 0
    try {
      return work()
    } finally {
      this.limit = limit
      this.followersLimit = followersLimit
      this.followed = this.following ? followed + this.followed : followed
      if (max <= left) this.isExhausted = isExhausted
    }
  }

  /** Reject if fewer units are left; charges none. */
  demand(units: number): Rejection | undefined {
    const left = this.left()
    if (units <= left) return undefined
    this.isExhausted = true
    return reject('teu_exhausted', `${units} units required, but only ${left} of ${this.limit} left`)
  }

  /** Gives units of a static cost back: the sum of both stays above zero, since they were a part of it. */
  giveBack(units: number): void {
    this.add(-units)
  }

  /** Units for a list that is about to run: all of them or a rejection. */
  charge(teu: number): Rejection | undefined {
    if (teu > this.left()) this.isExhausted = true
    if (teu > this.limit - this.spent) {
      return reject('teu_exhausted', `${teu} more units exceed the limit of ${this.limit}`)
    }
    if (this.following && teu > this.followersLimit - this.followed) {
      const message = `${teu} more units exceed the limit of ${this.followersLimit} for triggers of other accounts`
      return reject('teu_exhausted', message)
    }
    this.add(teu)
    return undefined
  }

  /** True if triggers that only follow can be charged so many units; otherwise one is refused for lack of them. */
  couldFollow(teu: number): boolean {
    const left = Math.min(this.limit - this.spent, this.followersLimit - this.followed)
    if (teu <= left) return true
    this.isExhausted = true
    return false
  }

  /** Charge units for completed work; if fewer are left, charges those and throws. */
  take(units: number): void {
    const { aside } = this
    if (aside !== undefined) {
      aside.taken += units
      if (aside.taken > aside.limit) throw new TeuExhausted(`exceeded the limit of ${aside.limit} units`)
      return
    }
    const left = this.left()
    if (units <= left) return this.add(units)
    this.isExhausted = true
    this.add(left)
    throw new TeuExhausted(`rows and events require more than the ${left} units left of ${this.limit}`)
  }

  /** Units for an event of so many bytes, by the sum of all of them. */
  event(bytes: number): void {
    const before = Math.ceil(this.eventBytes / EVENT_BYTES_PER_UNIT)
    this.eventBytes += bytes
    this.take(Math.ceil(this.eventBytes / EVENT_BYTES_PER_UNIT) - before)
  }

  private left(): number {
    const left = this.limit - this.spent
    return this.following ? Math.min(left, this.followersLimit - this.followed) : left
  }

  private add(units: number): void {
    this.spent += units
    if (this.following) this.followed += units
  }
}
