/**
 * Business days, day counts and interest of 10,000 random repos, compared with QuantLib (test/vectors/repos.py). The conventions of
 * QuantLib are the same: interest equals the exact value to half of the smallest unit of cash, with halves rounded away from zero.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { interestOf } from '../../../src/features/repo/schema/interest.js'
import { BASIS_DAYS } from '../../../src/features/repo/schema/records.js'
import { type BusinessCalendar, roll, shift, WEEKDAYS } from '../../../src/ledger/business-days.js'
import { dateOfDay } from '../../../src/model/index.js'
import { RULES } from '../../support/repos.js'

interface Vectors {
  /** Digests of 500 results each. */
  readonly digests: readonly string[]
  /** First result of each digest. */
  readonly samples: readonly string[]
}
const vectors = JSON.parse(readFileSync('test/vectors/repos.json', 'utf8')) as Vectors

// The constants of the script.
const [BLOCK, CALENDARS, FIRST, DAYS] = [500, 100, 18_262, 14_000]
const TERMS = [10, 100, 1_000, 3_653]
const WEEKENDS = ['56', '56', '56', '4', '45', '', '012345']
const CONVENTIONS = ['following', 'modified_following', 'preceding'] as const
const BASES = ['act360', 'act365f'] as const

/** The generator of the script. */
class Generator {
  private state = 53

  below(count: number): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0
    return (this.state >>> 8) % count
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T
  }
}

function calendarOf(generator: Generator): BusinessCalendar {
  const weekend = [...generator.pick(WEEKENDS)].map((digit) => WEEKDAYS[Number(digit)]!)
  const holidays = new Set<number>()
  for (let count = 0; count < 100; count += 1) {
    const first = FIRST + generator.below(DAYS + Math.max(...TERMS))
    const length = 1 + generator.below(12)
    for (let day = first; day < first + length; day += 1) holidays.add(day)
  }
  return { ...RULES, weekend, holidays: [...holidays].sort((a, b) => a - b) }
}

function interest(generator: Generator, days: number): bigint {
  const basis = generator.pick(BASES)
  const kind = generator.below(4)
  let amount: bigint
  let ratePpm: number
  if (kind === 0) {
    amount = BigInt(BASIS_DAYS[basis] * 500) * BigInt(1 + generator.below(1_000_000))
    ratePpm = 1_000 * (generator.below(2_001) - 1_000)
  } else {
    amount = BigInt(1 + generator.below(10 ** (1 + generator.below(7))))
    for (let more = generator.below(3); more > 0; more -= 1) amount = amount * 10_000n + BigInt(generator.below(10_000))
    ratePpm = kind === 1 ? generator.below(2_000_001) - 1_000_000 : generator.below(120_001) - 20_000
  }
  return interestOf(amount, { ratePpm, basis, days })
}

/** Result of one repo in the form of the script. */
function resultOf(generator: Generator, calendars: readonly BusinessCalendar[]): string {
  const calendar = generator.pick(calendars)
  const convention = generator.pick(CONVENTIONS)
  const first = FIRST + generator.below(DAYS)
  const last = first + 1 + generator.below(generator.pick(TERMS))
  const start = roll(calendar, first, convention)
  const ends = CONVENTIONS.map((one) => dateOfDay(roll(calendar, last, one)))
  const shifted = shift(calendar, first, generator.below(41) - 20, convention)
  const days = roll(calendar, last, convention) - start
  return [dateOfDay(start), ...ends, dateOfDay(shifted), days, interest(generator, days)].join(' ')
}

describe('dates and interest amounts of repos', () => {
  it('match QuantLib for 10,000 random repos', () => {
    const generator = new Generator()
    const calendars = Array.from({ length: CALENDARS }, () => calendarOf(generator))
    const blocks = vectors.digests.map(() => Array.from({ length: BLOCK }, () => resultOf(generator, calendars)))
    expect(blocks.flat()).toHaveLength(10_000)
    expect(blocks.map(([sample]) => sample)).toEqual(vectors.samples)
    const digests = blocks.map((block) => createHash('sha256').update(block.join('\n')).digest('hex').slice(0, 16))
    expect(digests).toEqual(vectors.digests)
  })
})
