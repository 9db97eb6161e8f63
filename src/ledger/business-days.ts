/**
 * Owns business days: calendars with weekends, holidays and a cut-off. Days are numbers of days since 1 January 1970. A
 * day of a calendar begins with the cut-off of the day before.
 */
import { civilOfDay } from '../model/index.js'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const DAYS_PER_WEEK = 7
/** 1 January 1970 was the fourth day of a week that begins on Monday. */
const FIRST_WEEKDAY = 3

/** Days of the week, Monday first. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof WEEKDAYS)[number]

export interface BusinessCalendar {
  /** Minutes that local time is ahead of UTC. */
  readonly offsetMinutes: number
  /** Minute of the local day from which on times belong to the next day. */
  readonly cutoffMinute: number
  /** At most six days of the week. */
  readonly weekend: readonly Weekday[]
  /** Ascending. */
  readonly holidays: readonly number[]
}

/**
 * What to do with a day that is not a business day: the next business day; the same, but the one before if the next is
 * in another month; the one before.
 */
export type RollConvention = 'following' | 'modified_following' | 'preceding'

/** Place of a day in the week, Monday first. */
const weekdayOf = (day: number): number => (((day + FIRST_WEEKDAY) % DAYS_PER_WEEK) + DAYS_PER_WEEK) % DAYS_PER_WEEK

/** Place of the first holiday that is not before a day. */
function holidayFrom({ holidays }: BusinessCalendar, day: number): number {
  let [low, high] = [0, holidays.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((holidays[middle] ?? 0) < day) low = middle + 1
    else high = middle
  }
  return low
}

export const isBusinessDay = (calendar: BusinessCalendar, day: number): boolean => nearest(calendar, day, 1) === day

/** First business day from a day on, in steps of 1 or -1: a walk along the holidays, which looks up none of its days. */
function nearest(calendar: BusinessCalendar, day: number, step: 1 | -1): number {
  const { weekend, holidays } = calendar
  const isOff = WEEKDAYS.map((one) => weekend.includes(one))
  let [found, weekday, at] = [day, weekdayOf(day), holidayFrom(calendar, day)]
  if (step < 0 && holidays[at] !== day) at -= 1
  for (;;) {
    const isHoliday = holidays[at] === found
    if (!isHoliday && isOff[weekday] !== true) return found
    if (isHoliday) at += step
    found += step
    weekday = (weekday + step + DAYS_PER_WEEK) % DAYS_PER_WEEK
  }
}

/** The business day of a day by a convention. */
export function roll(calendar: BusinessCalendar, day: number, convention: RollConvention): number {
  if (convention === 'preceding') return nearest(calendar, day, -1)
  const next = nearest(calendar, day, 1)
  const isElsewhere = convention === 'modified_following' && civilOfDay(next).month !== civilOfDay(day).month
  return isElsewhere ? nearest(calendar, day, -1) : next
}

/**
 * The business day that is `count` business days after a day, or before it for a negative count. For a count of 0 the
 * convention decides; otherwise the day itself is not counted.
 */
export function shift(
  calendar: BusinessCalendar,
  day: number,
  count: number,
  convention: RollConvention = 'following',
): number {
  if (count === 0) return roll(calendar, day, convention)
  const step = count > 0 ? 1 : -1
  let found = day
  for (let left = Math.abs(count); left > 0; left -= 1) found = nearest(calendar, found + step, step)
  return found
}

/** Day that a time belongs to, whether it is a business day or not. */
export function dayOf({ offsetMinutes, cutoffMinute }: BusinessCalendar, timeMs: number): number {
  return Math.floor((timeMs + (offsetMinutes - cutoffMinute) * MINUTE_MS) / DAY_MS) + 1
}

/** Business date of a time. */
export const businessDate = (calendar: BusinessCalendar, timeMs: number): number =>
  roll(calendar, dayOf(calendar, timeMs), 'following')

/** Time at which a day begins, in ms since the Unix epoch: the cut-off of the day before. */
export const startOfDayMs = ({ offsetMinutes, cutoffMinute }: BusinessCalendar, day: number): number =>
  (day - 1) * DAY_MS + (cutoffMinute - offsetMinutes) * MINUTE_MS
