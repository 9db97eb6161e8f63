/** Owns dates of the proleptic Gregorian calendar, as texts and as numbers of days since 1 January 1970. */
import { type Schema, text } from '../codec/index.js'

const DATE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/
/** Days from 1 March of year 0 to 1 January 1970. */
const EPOCH_SHIFT = 719_468
const DAYS_PER_ERA = 146_097
const YEARS_PER_ERA = 400

/** Day of a year that starts on 1 March, from 0. */
const dayOfYearFromMarch = (month: number, day: number): number =>
  Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1

/** Number of a day. The month is 1 to 12; a day after the end of the month continues into the next month. */
export function dayOfCivil(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / YEARS_PER_ERA)
  const yearOfEra = shifted - era * YEARS_PER_ERA
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYearFromMarch(month, day)
  return era * DAYS_PER_ERA + dayOfEra - EPOCH_SHIFT
}

/** Year, month (1 to 12) and day of a number of a day. */
export function civilOfDay(day: number): { readonly year: number; readonly month: number; readonly day: number } {
  const shifted = day + EPOCH_SHIFT
  const era = Math.floor(shifted / DAYS_PER_ERA)
  const dayOfEra = shifted - era * DAYS_PER_ERA
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  const year = yearOfEra + era * YEARS_PER_ERA + (month <= 2 ? 1 : 0)
  return { year, month, day: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1 }
}

const digits = (value: number, count: number): string => String(value).padStart(count, '0')

/** Date of a number of a day: `2026-11-30`. */
export function dateOfDay(number: number): string {
  const { year, month, day } = civilOfDay(number)
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`
}

/** Number of the day of a date; undefined for a text that is not a date from 0001-01-01 to 9999-12-31. */
export function dayOfDate(date: string): number | undefined {
  const match = DATE.exec(date)
  if (match === null) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (year < 1 || month < 1 || month > 12 || day < 1) return undefined
  const number = dayOfCivil(year, month, day)
  return dateOfDay(number) === date ? number : undefined
}

/** A date, written `2026-11-30`. */
export const calendarDate: Schema<string> = text(
  'CalendarDate',
  10,
  (date) => (dayOfDate(date) === undefined ? 'expected a date such as 2026-11-30' : undefined),
  DATE.source,
)
