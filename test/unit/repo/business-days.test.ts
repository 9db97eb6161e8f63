/** Business days and interest, against dates of the runtime and figures of the concept page. */
import { describe, expect, it } from 'vitest'
import { interestOf } from '../../../src/features/repo/schema/interest.js'
import {
  type BusinessCalendar,
  businessDate,
  dayOf,
  roll,
  shift,
  startOfDayMs,
  WEEKDAYS,
} from '../../../src/ledger/business-days.js'
import { civilOfDay, dateOfDay, dayOfDate } from '../../../src/model/index.js'
import { randomOf } from '../../../src/simulation/prng.js'
import { ahead, businessDateAt } from '../../support/naive-repo.js'
import { DAY_MS, RULES } from '../../support/repos.js'

const day = (date: string): number => dayOfDate(date) ?? Number.NaN
const CALENDAR: BusinessCalendar = {
  ...RULES,
  weekend: ['sat', 'sun'],
  holidays: ['2026-12-25', '2026-12-31', '2027-01-01'].map(day),
}

describe('a date', () => {
  it('has the same day number as in the runtime', () => {
    const random = randomOf(1, 'dates')
    for (let count = 0; count < 2_000; count += 1) {
      const number = random.below(3_652_000) - 719_000
      const date = new Date(number * DAY_MS)
      expect(civilOfDay(number)).toEqual({
        year: date.getUTCFullYear(),
        month: date.getUTCMonth() + 1,
        day: date.getUTCDate(),
      })
      if (date.getUTCFullYear() < 1_000) continue
      expect(dateOfDay(number)).toBe(date.toISOString().slice(0, 10))
      expect(dayOfDate(dateOfDay(number))).toBe(number)
    }
  })

  it.each(['2027-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '26-04-30', '2026-4-30', '0000-01-01', ''])(
    'is rejected if it does not exist or is malformed: %s',
    (text) => {
      expect(dayOfDate(text)).toBeUndefined()
    },
  )

  it('with 29 February exists only in leap years', () => {
    expect(dateOfDay(day('2028-02-28') + 1)).toBe('2028-02-29')
    expect(dayOfDate('2100-02-29')).toBeUndefined()
    expect(dayOfDate('2000-02-29')).toBe(day('2000-03-01') - 1)
  })
})

describe('a business date', () => {
  it('begins at the cut-off time of the previous day', () => {
    const cutoffMs = Date.UTC(2026, 10, 30, 17)
    expect(dateOfDay(businessDate(CALENDAR, cutoffMs - 1))).toBe('2026-11-30')
    expect(dateOfDay(businessDate(CALENDAR, cutoffMs))).toBe('2026-12-01')
    expect(startOfDayMs(CALENDAR, day('2026-12-01'))).toBe(cutoffMs)
    expect(dateOfDay(businessDate(CALENDAR, Date.UTC(2026, 11, 4, 17)))).toBe('2026-12-07')
  })

  it('matches a naive calendar with any time zone offset and cut-off', () => {
    const random = randomOf(2, 'business dates')
    const weekends = [[], ['sat', 'sun'], ['fri'], ['mon', 'tue', 'wed', 'thu', 'fri', 'sat']] as const
    for (let count = 0; count < 400; count += 1) {
      const weekend = random.pick(weekends)
      const base = day('2026-01-01')
      const holidays = [...new Set(Array.from({ length: 12 }, () => base + random.below(400)))].sort((a, b) => a - b)
      const rules = { offsetMinutes: random.below(1_561) - 720, cutoffMinute: random.below(1_440) }
      const calendar = { ...rules, weekend, holidays }
      const naive = {
        ...rules,
        weekend: weekend.map((one) => (WEEKDAYS.indexOf(one) + 1) % 7),
        holidays: holidays.map(dateOfDay),
      }
      const timeMs = base * DAY_MS + random.below(400 * DAY_MS)
      const today = businessDate(calendar, timeMs)
      expect(dateOfDay(today)).toBe(businessDateAt(naive, timeMs))
      const steps = random.below(12)
      expect(dateOfDay(shift(calendar, today, steps))).toBe(ahead(naive, dateOfDay(today), steps))
      expect(shift(calendar, shift(calendar, today, steps), -steps)).toBe(today)
      const start = startOfDayMs(calendar, dayOf(calendar, timeMs))
      expect(start).toBeLessThanOrEqual(timeMs)
      expect(timeMs - start).toBeLessThan(DAY_MS)
    }
  })
})

describe('the business day adjustment', () => {
  it.each([
    ['2026-12-25', 'following', '2026-12-28'],
    ['2026-12-25', 'preceding', '2026-12-24'],
    ['2026-12-25', 'modified_following', '2026-12-28'],
    ['2026-12-31', 'following', '2027-01-04'],
    ['2026-12-31', 'modified_following', '2026-12-30'],
    ['2026-12-30', 'preceding', '2026-12-30'],
  ] as const)('of %s with convention %s is %s', (date, convention, rolled) => {
    expect(dateOfDay(roll(CALENDAR, day(date), convention))).toBe(rolled)
  })
})

describe('interest', () => {
  it.each([
    [2_500_000_000n, 36_500, 7, 'act360', 1_774_306n],
    [9_000_000n, 36_500, 1, 'act360', 913n],
    [9_000_000n, -36_500, 1, 'act360', -913n],
    [9_000_000n, 36_500, 1, 'act365f', 900n],
    [1n, 1_000_000, 180, 'act360', 1n],
    [1n, -1_000_000, 180, 'act360', -1n],
    [1n, 1_000_000, 179, 'act360', 0n],
    [1n, 36_500, 0, 'act360', 0n],
  ] as const)('on %s at %s ppm for %s days with basis %s is %s', (amount, ratePpm, days, basis, interest) => {
    expect(interestOf(amount, { ratePpm, basis, days })).toBe(interest)
  })
})
