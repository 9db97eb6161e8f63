/** The election, compared with exact fractions, and its limits on candidates with little stake. */
import { describe, expect, it } from 'vitest'
import { processorSeconds } from '../../../scripts/processor-time.mjs'
import {
  type Candidate,
  type ElectionRules,
  elect,
  entitySeatsMax,
  type Voter,
} from '../../../src/consensus/npos/index.js'
import { electAmong } from '../../../src/features/staking/ledger/elections/elections.js'
import { NO_AMOUNT } from '../../../src/features/staking/ledger/stake/tables.js'
import { type Random, randomOf } from '../../../src/simulation/prng.js'
import { rationalElection } from '../../support/npos/rational.js'

const RULES: ElectionRules = {
  maxValidators: 22,
  minValidators: 4,
  minSecurityBps: 1_500,
  maxNominatorBps: 2_500,
  maxEntityBps: 2_500,
}

const candidate = (id: string, bonded: bigint, more: Partial<Candidate> = {}): Candidate => ({
  id,
  bonded,
  registeredHeight: 1,
  entity: undefined,
  ...more,
})

/** A made-up electorate: stakes of very different sizes, some entities, targets that do not stand. */
function electorate(random: Random, most: { candidates: number; voters: number }) {
  const count = 4 + random.below(most.candidates - 3)
  const candidates = Array.from({ length: count }, (_, index) =>
    candidate(`v${String(index).padStart(3, '0')}`, BigInt(1 + random.below(1_000)) * 10n ** BigInt(random.below(9)), {
      registeredHeight: random.below(50),
      entity: random.below(4) === 0 ? `e${random.below(4)}` : undefined,
    }),
  )
  const nominators: Voter[] = Array.from({ length: random.below(most.voters) }, (_, index) => ({
    id: `n${index}`,
    bonded: BigInt(1 + random.below(100_000)) * 10n ** BigInt(random.below(6)),
    targets: Array.from({ length: 1 + random.below(8) }, () => `v${String(random.below(count + 3)).padStart(3, '0')}`),
  }))
  return { candidates, nominators }
}

const shuffled = <T>(list: readonly T[], random: Random): T[] =>
  list
    .map((one) => ({ one, at: random.below(1_000_000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)

describe('the election of an epoch', () => {
  it('matches an election with exact fractions, including the security share', () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const random = randomOf(seed, 'election')
      const { candidates, nominators } = electorate(random, { candidates: 16, voters: 30 })
      const rules = { ...RULES, maxValidators: 4 + random.below(14), minSecurityBps: random.below(4_000) }
      const elected = elect(candidates, nominators, rules)
      const exact = rationalElection(candidates, nominators, rules)
      expect(
        elected?.seats.map(({ id }) => id),
        `seed ${seed}`,
      ).toEqual(exact?.elected)
      if (exact === undefined || elected === undefined) continue
      expect(Math.abs(elected.securityBps - Number(exact.bps)), `seed ${seed}`).toBeLessThanOrEqual(1)
    }
  })

  it('exposes the whole stake of each nominator exactly once', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const random = randomOf(seed, 'election')
      const { candidates, nominators } = electorate(random, { candidates: 30, voters: 60 })
      const elected = elect(candidates, nominators, RULES)
      if (elected === undefined) continue
      const seats = new Set(elected.seats.map(({ id }) => id))
      for (const { id, bonded, targets } of nominators) {
        const given = elected.seats.flatMap((seat) => seat.nominators.filter((one) => one.id === id))
        const sum = given.reduce((all, { amount }) => all + amount, 0n)
        expect(sum, `seed ${seed} ${id}`).toBe(targets.some((one) => seats.has(one)) ? bonded : 0n)
      }
      for (const { support, own, nominators: given } of elected.seats) {
        expect(given.reduce((all, { amount }) => all + amount, own)).toBe(support)
      }
    }
  })

  it('gives the same seats for any order of candidates and voters, and for a split stake', () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const random = randomOf(seed, 'election')
      const { candidates, nominators } = electorate(random, { candidates: 20, voters: 40 })
      const rules = { ...RULES, maxNominatorBps: 10_000 }
      const ids = (elected: ReturnType<typeof elect>) => elected?.seats.map(({ id }) => id)
      const plain = ids(elect(candidates, nominators, rules))
      expect(ids(elect(shuffled(candidates, random), shuffled(nominators, random), rules))).toEqual(plain)
      const split = nominators.flatMap((one) => [
        { ...one, bonded: one.bonded / 3n },
        { ...one, id: `${one.id}b`, bonded: one.bonded - one.bonded / 3n },
      ])
      expect(ids(elect(candidates, split, rules))).toEqual(plain)
    }
  })

  it('elects none of forty candidates with 1 % of the stake if four others have the rest', () => {
    const honest = Array.from({ length: 4 }, (_, index) => candidate(`honest${index}`, 24_750n))
    const sybils = Array.from({ length: 40 }, (_, index) => candidate(`sybil${index}`, 25n))
    const elected = elect([...honest, ...sybils], [], RULES)
    expect(elected?.seats.map(({ id }) => id).sort()).toEqual(honest.map(({ id }) => id))
    expect(elected?.weak).toBe(false)
  })

  it('never gives a coalition with less than the security share f + 1 seats by its own backing', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = randomOf(seed, 'election')
      const honest = Array.from({ length: 8 + random.below(20) }, (_, index) => candidate(`h${index}`, 1_000n))
      const evil = Array.from({ length: 4 + random.below(20) }, (_, index) =>
        candidate(`x${index}`, 1n + BigInt(random.below(300))),
      )
      const backing: Voter[] = [
        ...Array.from({ length: 20 }, (_, index) => ({
          id: `hn${index}`,
          bonded: BigInt(random.below(5_000)),
          targets: Array.from({ length: 8 }, () => `h${random.below(honest.length)}`),
        })),
        ...Array.from({ length: 10 }, (_, index) => ({
          id: `xn${index}`,
          bonded: BigInt(random.below(3_000)),
          targets: shuffled(evil, random)
            .slice(0, 8)
            .map(({ id }) => id),
        })),
      ]
      const rules = { ...RULES, maxNominatorBps: 10_000, maxEntityBps: 10_000 }
      const elected = elect([...honest, ...evil], backing, rules)
      if (elected === undefined || elected.weak) continue
      const stake = [...evil, ...backing.filter(({ id }) => id.startsWith('xn'))].reduce(
        (all, one) => all + one.bonded,
        0n,
      )
      const seats = elected.seats.filter(({ id }) => id.startsWith('x')).length
      const budget = Math.floor((elected.seats.length - 1) / 3)
      if (stake * 10_000n < BigInt(elected.securityBps) * elected.counted)
        expect(seats, `seed ${seed}`).toBeLessThanOrEqual(budget)
    }
  })

  it('counts the stake of a nominator up to its cap, and always counts its targets', () => {
    const candidates = Array.from({ length: 8 }, (_, index) => candidate(`v${index}`, 100n))
    const rich = { id: 'rich', bonded: 1_000_000n, targets: ['v0', 'v1', 'v2', 'v3', 'v4'] }
    const elected = elect(candidates, [rich], RULES)
    expect(elected?.counted).toBe(800n + (1_000_800n * 2_500n) / 10_000n)
    expect(elected?.seats.map(({ id }) => id)).toContain('v0')
  })

  it('never gives one declared entity f + 1 seats', () => {
    for (let k = 4; k <= 128; k += 3) expect(entitySeatsMax(k, 10_000)).toBeLessThanOrEqual((k - 1) / 3)
    const candidates = [
      ...Array.from({ length: 10 }, (_, index) => candidate(`big${index}`, 1_000_000n, { entity: 'big' })),
      ...Array.from({ length: 6 }, (_, index) => candidate(`small${index}`, 900_000n)),
    ]
    const elected = elect(candidates, [], RULES)
    expect(elected?.seats.length).toBe(7)
    expect(elected?.seats.filter(({ id }) => id.startsWith('big')).length).toBe(1)
  })

  it('limits entities within their own domain, so that the same name in another domain uses no seats', () => {
    const pool = { definition: 'stake#bank', scale: 0, total: NO_AMOUNT, candidates: 0, voters: 0, nextSlash: 1 }
    const standing = (account: string, mantissa: bigint, domain: string, entity: string | undefined) => ({
      account,
      bonded: { mantissa, scale: 0 },
      registeredHeight: 1,
      domain,
      entity,
      key: account,
      peer: account,
      commissionBps: 0,
      refused: undefined,
    })
    const candidates = [
      ...Array.from({ length: 4 }, (_, at) => standing(`squatter${at}`, 2_000_000n, `other${at}`, 'bank-a')),
      ...Array.from({ length: 5 }, (_, at) => standing(`own${at}`, 1_000_000n, 'bank', 'bank-a')),
      ...Array.from({ length: 6 }, (_, at) => standing(`small${at}`, 900_000n, 'bank', undefined)),
    ]
    const elected = electAmong(pool, candidates, [], RULES)?.seats.map(({ id }) => id)
    expect(elected?.filter((id) => id.startsWith('own'))).toHaveLength(3)
  })

  it('elects no candidates if they are fewer than the minimum number of validators', () => {
    expect(elect([candidate('a', 5n), candidate('b', 5n), candidate('c', 5n)], [], RULES)).toBeUndefined()
    expect(elect([], [], RULES)).toBeUndefined()
  })

  it('takes time in proportion to candidates and voters, not to their product', () => {
    // Whatever runs first is not compiled yet.
    timeOf(256, 2_000)
    // Four times of both take three times as long; it is above eleven where each voter is looked at for each candidate.
    expect(timeOf(256, 2_000) / timeOf(64, 500)).toBeLessThan(8)
  })
})

/** Processor time that elections are repeated for, in seconds: fifty ticks of the clock of a thread. */
const MEASURED_SECONDS = 0.5

/** Seconds of this thread; where a system does not have them, of the process. */
const seconds = (): number => processorSeconds() || process.cpuUsage().user / 1e6

/** Mean processor time of an election among so many, in seconds: a single one may take less than a tick of the clock. */
function timeOf(candidateCount: number, voterCount: number): number {
  const random = randomOf(7, 'election')
  const candidates = Array.from({ length: candidateCount }, (_, index) =>
    candidate(`v${index}`, 10n ** 20n + BigInt(random.below(1_000_000))),
  )
  const nominators = Array.from({ length: voterCount }, (_, index) => ({
    id: `n${index}`,
    bonded: 10n ** 19n * BigInt(1 + random.below(1_000)),
    targets: Array.from({ length: 8 }, () => `v${random.below(candidateCount)}`),
  }))
  const before = seconds()
  for (let count = 1; ; count += 1) {
    elect(candidates, nominators, { ...RULES, minSecurityBps: 10_000 })
    const taken = seconds() - before
    if (taken >= MEASURED_SECONDS) return taken / count
  }
}
