/** Owns the metering of one transaction or run: units beyond its static cost, and their limit. */
import { type PartUnits, type Rejection, reject } from './contract.js'
import { EVENT_BYTES_PER_UNIT } from './costs.js'

/**
 * Divisor of the units that gives the common share of all follower triggers. Without this limit, accounts that are
 * paid, frozen or named by others could use up the units of the transaction.
 */
const FOLLOWERS_DIVISOR = 4

/**
 * Thrown on access to a row or an event if the units are exhausted. The running list catches it, and the run is
 * reverted.
 */
export class TeuExhausted extends Error {}

/** Limit of units beyond the static cost. */
export interface ContentLimit {
  /** Own limit. */
  readonly own: number
  /** Units left in the block for it; absent: unlimited. */
  readonly pool?: number
}

/** Used and available units of a run. */
export class Meter {
  /** Units used so far by stored lists, rows and events. */
  spent = 0
  /** Units used by follower triggers. */
  private followed = 0
  private following = false
  private eventBytes = 0
  /** True once work was refused for lack of units. */
  isExhausted = false
  /** Units of the current part and their maximum; undefined outside of a part. */
  private aside: { taken: number; readonly limit: number } | undefined
  private limit: number
  private followersLimit: number

  /** @param own limit of the run, of which followers have their share; `pool`: units left for it in its block */
  constructor({ own, pool = own }: ContentLimit) {
    this.limit = Math.min(own, pool)
    this.followersLimit = Math.floor(own / FOLLOWERS_DIVISOR)
  }

  /** Run work as a follower trigger if `following` is set. */
  as<T>(following: boolean, work: () => T): T {
    const before = this.following
    this.following = following
    try {
      return work()
    } finally {
      this.following = before
    }
  }

  /** Run work whose units are paid for by other means; throws beyond `limit`. */
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
   * Run a part within a share of the units. Follower triggers have their fraction of the share. A part that needs more
   * than `max` ends by itself; one that is cut short by the remaining units counts as exhausted, since that may depend
   * on the block.
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

  /** Refund units that were part of a static cost; the sum of the cost and the refund stays above zero. */
  giveBack(units: number): void {
    this.add(-units)
  }

  /** Charge the units of a list before it runs: all of them, or a rejection. */
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

  /** True if follower triggers have this many units left; otherwise the refusal is recorded. */
  couldFollow(teu: number): boolean {
    const left = Math.min(this.limit - this.spent, this.followersLimit - this.followed)
    if (teu <= left) return true
    this.isExhausted = true
    return false
  }

  /** Charge units for completed work; if fewer are left, charges the remaining units and throws. */
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

  /** Charge an event of this size; the units are computed from the total size of all events. */
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
