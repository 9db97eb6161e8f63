/** Owns slots shared by parties: a total bound, a bound per party, and a reserve for preferred parties. */

/** Sizes of a quota. */
export interface QuotaLimits {
  readonly total: number
  /** Maximum slots of one party. */
  readonly perParty: number
  /** Slots of the total reserved for preferred requests; absent: none. */
  readonly reserve?: number
}

/** Counter of occupied slots. */
export class Quota<P> {
  private readonly byParty = new Map<P, number>()
  private taken = 0

  constructor(private readonly limits: QuotaLimits) {}

  /** Number of occupied slots of all parties. */
  get size(): number {
    return this.taken
  }

  /** Number of slots of a party. */
  of(party: P): number {
    return this.byParty.get(party) ?? 0
  }

  /** Limit that prevents another slot for a party: its share or the total; undefined if none. */
  refusal(party: P, isPreferred = false): 'share' | 'total' | undefined {
    const { total, perParty, reserve = 0 } = this.limits
    if (this.of(party) >= perParty) return 'share'
    return this.taken >= (isPreferred ? total : total - reserve) ? 'total' : undefined
  }

  /** Occupy a slot for a party; false if none is available. */
  take(party: P, isPreferred = false): boolean {
    if (this.refusal(party, isPreferred) !== undefined) return false
    this.byParty.set(party, this.of(party) + 1)
    this.taken += 1
    return true
  }

  /** Release a slot of a party. */
  give(party: P): void {
    const left = this.of(party) - 1
    if (left < 0) throw new Error('cannot release a slot: the party does not hold one')
    if (left === 0) this.byParty.delete(party)
    else this.byParty.set(party, left)
    this.taken -= 1
  }
}
