/**
 * Owns the election of an epoch: the number of seats that stake can secure, their holders, and the stake behind each. The number of
 * seats depends on stake: with a fixed number, many candidates with little stake would fill the remaining seats.
 */
import { faultBudget } from '../roster.js'
import { type Ballot, type Candidate, type Pick, type Run, runPhragmen, SEAT_LOAD, type Voter } from './phragmen.js'

/** Denominator of shares. */
export const BPS = 10_000n

/** Settings of an election, from the parameters of the chain. */
export interface ElectionRules {
  readonly maxValidators: number
  readonly minValidators: number
  /** Minimum share of all stake that a coalition must need to win f + 1 seats by its own backing, in bps. */
  readonly minSecurityBps: number
  /** Maximum counted stake of one nominator, as a share of all stake, in bps. */
  readonly maxNominatorBps: number
  /** Maximum seats of candidates of one entity, in bps of the seats. */
  readonly maxEntityBps: number
}

/** Stake behind a seat. */
export interface Exposure {
  readonly id: string
  /** Own bond and nominations. */
  readonly support: bigint
  readonly own: bigint
  /** Nominators in input order, each with its part. */
  readonly nominators: readonly { readonly id: string; readonly amount: bigint }[]
}

/** Elected validators. */
export interface Elected {
  readonly seats: readonly Exposure[]
  /** Stake that counted. */
  readonly counted: bigint
  readonly securityBps: number
  /** True if no number of seats reached the required share. */
  readonly weak: boolean
}

/** Maximum number of k seats that one entity may hold; at most f, and at least 1. */
export const entitySeatsMax = (k: number, maxEntityBps: number): number =>
  Math.max(1, Math.min(faultBudget(k), Math.floor((k * maxEntityBps) / Number(BPS))))

/** Largest 3f + 1 that is not above `n`. */
const committeeAtMost = (n: number): number => n - ((n + 2) % 3)

/** The ballot: candidates, each backing itself, then nominators with a candidate among their targets, capped. */
export function ballotOf(candidates: readonly Candidate[], nominators: readonly Voter[], capBps: number) {
  const numbers = new Map(candidates.map(({ id }, number) => [id, number]))
  const voters = nominators.flatMap(({ id, bonded, targets }) => {
    const own = [...new Set(targets)].flatMap((target) => numbers.get(target) ?? [])
    return own.length === 0 || bonded <= 0n ? [] : [{ id, bonded, targets: own }]
  })
  const sum = (amounts: readonly { readonly bonded: bigint }[]): bigint =>
    amounts.reduce((all, { bonded }) => all + bonded, 0n)
  const cap = ((sum(candidates) + sum(voters)) * BigInt(capBps)) / BPS
  const weights = [
    ...candidates.map(({ bonded }) => bonded),
    ...voters.map(({ bonded }) => (bonded > cap ? cap : bonded)),
  ]
  const targets = [...candidates.map((_, number) => [number]), ...voters.map((voter) => voter.targets)]
  const backers: number[][] = candidates.map(() => [])
  for (const [voter, own] of targets.entries()) for (const target of own) backers[target]?.push(voter)
  const ballot: Ballot = { candidates, weights, targets, backers }
  return { ballot, voters, counted: weights.reduce((all, one) => all + one, 0n) }
}

const securityOf = (k: number, counted: bigint, { score }: Pick): number => {
  const share = (BPS * BigInt(faultBudget(k) + 1) * SEAT_LOAD) / (score * counted)
  return Number(share > BPS ? BPS : share)
}

/** Divide a stake among seats by their load, rounded down; the last seat gets the rest. */
function exposuresOf(
  { candidates }: Ballot,
  voters: readonly { readonly id: string; readonly bonded: bigint }[],
  picks: readonly Pick[],
): Exposure[] {
  const byVoter = new Map<number, { seat: number; load: bigint }[]>()
  for (const [seat, { edges }] of picks.entries()) {
    for (const [voter, load] of edges) {
      const known = byVoter.get(voter)
      if (known === undefined) byVoter.set(voter, [{ seat, load }])
      else known.push({ seat, load })
    }
  }
  const nominators: { id: string; amount: bigint }[][] = picks.map(() => [])
  for (const [index, { id, bonded }] of voters.entries()) {
    const edges = byVoter.get(candidates.length + index) ?? []
    // A voter without a seat that it backs has no edges.
    const whole = edges.reduce((all, { load }) => all + load, 0n)
    let left = bonded
    for (const [place, { seat, load }] of edges.entries()) {
      const amount = place === edges.length - 1 ? left : (bonded * load) / (whole || 1n)
      left -= amount
      if (amount > 0n) nominators[seat]?.push({ id, amount })
    }
  }
  return picks.map(({ candidate }, seat) => {
    const { id, bonded: own } = candidates[candidate] as Candidate
    const given = nominators[seat] ?? []
    return { id, own, nominators: given, support: given.reduce((all, { amount }) => all + amount, own) }
  })
}

/** True if a run for fewer seats is the prefix of a longer one, because no entity was passed over in either. */
function beginningOf(run: Run | undefined, ballot: Ballot, k: number, entityMax: number): Run | undefined {
  if (run === undefined || run.freeOfCaps < k || run.picks.length < k) return undefined
  const picks = run.picks.slice(0, k)
  const held = new Map<string, number>()
  for (const { candidate } of picks) {
    const { entity } = ballot.candidates[candidate] as Candidate
    if (entity === undefined) continue
    const count = (held.get(entity) ?? 0) + 1
    if (count > entityMax) return undefined
    held.set(entity, count)
  }
  return { picks, freeOfCaps: k }
}

/**
 * Elect validators: the largest number of seats of the form 3f + 1 whose share of security suffices, otherwise the number with the
 * greatest share. Undefined if fewer than `minValidators` can be elected.
 */
export function elect(
  candidates: readonly Candidate[],
  nominators: readonly Voter[],
  rules: ElectionRules,
): Elected | undefined {
  const { ballot, voters, counted } = ballotOf(candidates, nominators, rules.maxNominatorBps)
  if (counted === 0n) return undefined
  let last: Run | undefined
  let best: { readonly picks: readonly Pick[]; readonly securityBps: number } | undefined
  const most = committeeAtMost(Math.min(rules.maxValidators, candidates.length))
  for (let k = most; k >= Math.max(1, rules.minValidators); k -= 3) {
    const entityMax = entitySeatsMax(k, rules.maxEntityBps)
    const run = beginningOf(last, ballot, k, entityMax) ?? runPhragmen(ballot, k, entityMax)
    if (last === undefined || run.freeOfCaps > last.freeOfCaps || run.picks.length > last.picks.length) last = run
    const final = run.picks[k - 1]
    if (final === undefined) continue
    const securityBps = securityOf(k, counted, final)
    const isEnough = securityBps >= rules.minSecurityBps
    if (best === undefined || isEnough || securityBps > best.securityBps) best = { picks: run.picks, securityBps }
    if (isEnough) break
  }
  if (best === undefined) return undefined
  const { picks, securityBps } = best
  return {
    seats: exposuresOf(ballot, voters, picks),
    counted,
    securityBps,
    weak: securityBps < rules.minSecurityBps,
  }
}
