/** Owns the arithmetic of calendar months by header time: proleptic Gregorian, UTC, integers only. */
import { civilOfDay, dayOfCivil } from '../model/index.js'

/** Month 0 is March of year 0; this is its offset in months from January of year 0. */
const FIRST_MONTH = 2

/** Number of the calendar month of a day since the Unix epoch; numbers of months are consecutive. */
export function monthOf(day: number): number {
  const { year, month } = civilOfDay(day)
  return year * 12 + month - 1 - FIRST_MONTH
}

/** First day of a month number of `monthOf`, in days since the Unix epoch. */
export function firstDayOf(month: number): number {
  const sinceJanuary = month + FIRST_MONTH
  const year = Math.floor(sinceJanuary / 12)
  return dayOfCivil(year, sinceJanuary - 12 * year + 1, 1)
}

/** Number of days of a month number of `monthOf`. */
export const daysOf = (month: number): number => firstDayOf(month + 1) - firstDayOf(month)
