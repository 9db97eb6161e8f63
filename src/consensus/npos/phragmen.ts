/**
 * Owns one run of sequential Phragmen: seats filled one by one, each by the candidate whose backers then carry the
 * least load (Brill, Freeman, Janson, Lackner 2017). Exact integers; the result does not depend on the order of voters.
 */

/** Load of one seat, large enough that rounding never reorders stakes below 2^96. */
export const SEAT_LOAD = 1n << 192n

/** Candidate. */
export interface Candidate {
  readonly id: string
  /** Own bond, which backs only itself. */
  readonly bonded: bigint
  readonly registeredHeight: number
  /** Declared entity; absent: the candidate alone. */
  readonly entity: string | undefined
}

/** Voter that backs candidates with its stake. */
export interface Voter {
  readonly id: string
  readonly bonded: bigint
  readonly targets: readonly string[]
}

/** Input of a run: backers by number, candidates first, each voting for itself. */
export interface Ballot {
  readonly candidates: readonly Candidate[]
  /** Stake that counts, by number of the voter. */
  readonly weights: readonly bigint[]
  /** Numbers of the candidates that each voter backs. */
  readonly targets: readonly (readonly number[])[]
  /** Numbers of the voters of each candidate. */
  readonly backers: readonly (readonly number[])[]
}

/** Filled seat. */
export interface Pick {
  readonly candidate: number
  /** Load of every backer after filling the seat. */
  readonly score: bigint
  /** Load of each backer for this seat. */
  readonly edges: readonly (readonly [voter: number, load: bigint])[]
}

/** Seats of a run in the order of filling; fewer than requested if candidates run out. */
export interface Run {
  readonly picks: readonly Pick[]
  /** Seats filled before a candidate was first passed over because of its entity. */
  readonly freeOfCaps: number
}

/**
 * True if `a` is seated before `b`: less load per stake, then more stake, more own stake, earlier registration, smaller
 * id.
 */
function isBetter(ballot: Ballot, load: readonly bigint[], stake: readonly bigint[], a: number, b: number): boolean {
  const [loadA = 0n, loadB = 0n, stakeA = 0n, stakeB = 0n] = [load[a], load[b], stake[a], stake[b]]
  const [left, right] = [loadA * stakeB, loadB * stakeA]
  if (left !== right) return left < right
  if (stakeA !== stakeB) return stakeA > stakeB
  const one = ballot.candidates[a] as Candidate
  const other = ballot.candidates[b] as Candidate
  if (one.bonded !== other.bonded) return one.bonded > other.bonded
  if (one.registeredHeight !== other.registeredHeight) return one.registeredHeight < other.registeredHeight
  return one.id < other.id
}

/** Fill `seats` seats, at most `entityMax` of them by one entity. */
export function runPhragmen(ballot: Ballot, seats: number, entityMax: number): Run {
  const { candidates, weights, targets, backers } = ballot
  const stake = backers.map((voters) => voters.reduce((sum, voter) => sum + (weights[voter] ?? 0n), 0n))
  const load = candidates.map(() => SEAT_LOAD)
  const carried = weights.map(() => 0n)
  const open = new Set(candidates.keys())
  for (const [candidate, backing] of stake.entries()) if (backing === 0n) open.delete(candidate)
  const held = new Map<string, number>()
  const picks: Pick[] = []
  let freeOfCaps = seats
  while (picks.length < seats) {
    let best: number | undefined
    for (const candidate of open) {
      if (best === undefined || isBetter(ballot, load, stake, candidate, best)) best = candidate
    }
    if (best === undefined) break
    open.delete(best)
    const { entity } = candidates[best] as Candidate
    if (entity !== undefined) {
      const before = held.get(entity) ?? 0
      if (before >= entityMax) {
        freeOfCaps = Math.min(freeOfCaps, picks.length)
        continue
      }
      held.set(entity, before + 1)
    }
    const score = (load[best] ?? 0n) / (stake[best] ?? 1n)
    const edges: [number, bigint][] = []
    for (const voter of backers[best] ?? []) {
      const taken = score - (carried[voter] ?? 0n)
      edges.push([voter, taken])
      carried[voter] = score
      const added = (weights[voter] ?? 0n) * taken
      for (const other of targets[voter] ?? []) if (open.has(other)) load[other] = (load[other] ?? 0n) + added
    }
    picks.push({ candidate: best, score, edges })
  }
  return { picks, freeOfCaps }
}
