/**
 * Owns business days: calendars with weekends, holidays and a cut-off. A day is a number of days since 1 January 1970. A
 * day of a calendar begins at the cut-off of the previous day.
 */
import { civilOfDay } from '../model/index.js'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const DAYS_PER_WEEK = 7
/** Weekday of 1 January 1970, a Thursday, with Monday as 0. */
const FIRST_WEEKDAY = 3

/** Days of the week, Monday first. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof WEEKDAYS)[number]

export interface BusinessCalendar {
  /** Offset of local time from UTC, in minutes. */
  readonly offsetMinutes: number
  /** Minute of the local day at which the next day of the calendar begins. */
  readonly cutoffMinute: number
  /** Weekend, at most six days. */
  readonly weekend: readonly Weekday[]
  /** Holidays, ascending. */
  readonly holidays: readonly number[]
}

/**
 * Replacement of a day that is not a business day. `following`: the next business day; `modified_following`: the next one, or
 * the previous one if the next is in another month; `preceding`: the previous business day.
 */
export type RollConvention = 'following' | 'modified_following' | 'preceding'

/** Index of a day in `WEEKDAYS`. */
const weekdayOf = (day: number): number => (((day + FIRST_WEEKDAY) % DAYS_PER_WEEK) + DAYS_PER_WEEK) % DAYS_PER_WEEK

/** Index of the first holiday on or after a day. */
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

/** Nearest business day on or after a day (step 1), or on or before it (step -1). Walks along the holidays without a search per day. */
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

/** Business day of a day under a roll convention. */
export function roll(calendar: BusinessCalendar, day: number, convention: RollConvention): number {
  if (convention === 'preceding') return nearest(calendar, day, -1)
  const next = nearest(calendar, day, 1)
  const isElsewhere = convention === 'modified_following' && civilOfDay(next).month !== civilOfDay(day).month
  return isElsewhere ? nearest(calendar, day, -1) : next
}

/**
 * Business day that is `count` business days after a day, or before it for a negative count; the day itself is not
 * counted. A count of 0 rolls the day by the convention.
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

/** Day of the calendar at a time, which may not be a business day. */
export function dayOf({ offsetMinutes, cutoffMinute }: BusinessCalendar, timeMs: number): number {
  return Math.floor((timeMs + (offsetMinutes - cutoffMinute) * MINUTE_MS) / DAY_MS) + 1
}

/** Business date of a time. */
export const businessDate = (calendar: BusinessCalendar, timeMs: number): number =>
  roll(calendar, dayOf(calendar, timeMs), 'following')

/** Start of a day in ms since the Unix epoch: the cut-off of the previous day. */
export const startOfDayMs = ({ offsetMinutes, cutoffMinute }: BusinessCalendar, day: number): number =>
  (day - 1) * DAY_MS + (cutoffMinute - offsetMinutes) * MINUTE_MS
