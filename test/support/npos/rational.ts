/** Owns a second election that shares nothing with the product: exact fractions, whole runs, no shortcuts. */
import type { Candidate, ElectionRules, Voter } from '../../../src/consensus/npos/index.js'

interface Fraction {
  readonly n: bigint
  readonly d: bigint
}
const gcd = (a: bigint, b: bigint): bigint => {
  let [x, y] = [a < 0n ? -a : a, b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}
const fraction = (n: bigint, d: bigint): Fraction => {
  const by = gcd(n, d) || 1n
  return { n: n / by, d: d / by }
}
const plus = (a: Fraction, b: Fraction) => fraction(a.n * b.d + b.n * a.d, a.d * b.d)
const times = (a: Fraction, b: bigint) => fraction(a.n * b, a.d)
const over = (a: Fraction, b: bigint) => fraction(a.n, a.d * b)
const isLess = (a: Fraction, b: Fraction) => a.n * b.d < b.n * a.d
const isSame = (a: Fraction, b: Fraction) => a.n === b.n && a.d === b.d
const ONE = fraction(1n, 1n)
const ZERO = fraction(0n, 1n)

interface Backer {
  readonly id: string
  readonly weight: bigint
  readonly targets: readonly string[]
}

/** Voters with their counted stake. */
function backersOf(candidates: readonly Candidate[], nominators: readonly Voter[], capBps: number): Backer[] {
  const known = new Set(candidates.map((one) => one.id))
  const voting = nominators
    .map((one) => ({ ...one, targets: [...new Set(one.targets)].filter((target) => known.has(target)) }))
    .filter((one) => one.targets.length > 0 && one.bonded > 0n)
  const all = [...candidates, ...voting].reduce((sum, one) => sum + one.bonded, 0n)
  const cap = (all * BigInt(capBps)) / 10_000n
  return [
    ...candidates.map((one) => ({ id: one.id, weight: one.bonded, targets: [one.id] })),
    ...voting.map((one) => ({ id: one.id, weight: one.bonded < cap ? one.bonded : cap, targets: one.targets })),
  ]
}

/** Ids of `k` seats in the order in which they were filled, with the load of the last. */
export function rationalRun(
  candidates: readonly Candidate[],
  backers: readonly Backer[],
  k: number,
  entityMax: number,
) {
  const load = new Map(backers.map((one) => [one, ZERO]))
  const elected: string[] = []
  const passed = new Set<string>()
  const held = new Map<string, number>()
  let score = ZERO
  for (;;) {
    if (elected.length === k) return { elected, score }
    const ranked = candidates
      .filter(({ id }) => !elected.includes(id) && !passed.has(id))
      .map((candidate) => {
        const own = backers.filter(({ targets }) => targets.includes(candidate.id))
        const stake = own.reduce((sum, { weight }) => sum + weight, 0n)
        const sum = own.reduce((all, one) => plus(all, times(load.get(one) ?? ZERO, one.weight)), ONE)
        return { candidate, own, stake, score: stake === 0n ? ONE : over(sum, stake) }
      })
      .filter(({ stake }) => stake > 0n)
      .sort((a, b) => {
        if (!isSame(a.score, b.score)) return isLess(a.score, b.score) ? -1 : 1
        if (a.stake !== b.stake) return a.stake > b.stake ? -1 : 1
        if (a.candidate.bonded !== b.candidate.bonded) return a.candidate.bonded > b.candidate.bonded ? -1 : 1
        return a.candidate.registeredHeight - b.candidate.registeredHeight || (a.candidate.id < b.candidate.id ? -1 : 1)
      })
    const [best] = ranked
    if (best === undefined) return { elected, score }
    const { id, entity } = best.candidate
    if (entity !== undefined && (held.get(entity) ?? 0) >= entityMax) {
      passed.add(id)
      continue
    }
    if (entity !== undefined) held.set(entity, (held.get(entity) ?? 0) + 1)
    elected.push(id)
    score = best.score
    for (const one of best.own) load.set(one, score)
  }
}

/** Election in fractions: ids of the seats in order, and the share of security as a fraction of one. */
export function rationalElection(candidates: readonly Candidate[], nominators: readonly Voter[], rules: ElectionRules) {
  const backers = backersOf(candidates, nominators, rules.maxNominatorBps)
  const counted = backers.reduce((sum, { weight }) => sum + weight, 0n)
  let best: { elected: string[]; bps: bigint } | undefined
  for (let k = 1_000; k >= rules.minValidators; k -= 1) {
    if (k > rules.maxValidators || k > candidates.length || (k - 1) % 3 !== 0) continue
    const f = Math.floor((k - 1) / 3)
    const entityMax = Math.max(1, Math.min(f, Math.floor((k * rules.maxEntityBps) / 10_000)))
    const { elected, score } = rationalRun(candidates, backers, k, entityMax)
    if (elected.length < k) continue
    const whole = (10_000n * BigInt(f + 1) * score.d) / (score.n * counted)
    const bps = whole > 10_000n ? 10_000n : whole
    if (bps >= BigInt(rules.minSecurityBps)) return { elected, bps }
    if (best === undefined || bps > best.bps) best = { elected, bps }
  }
  return best
}
