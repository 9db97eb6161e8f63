/** Owns the arithmetic of calendar months by header time: proleptic Gregorian, UTC, integers only. */

/** Days from 1 March of year 0 to 1 January 1970. */
const EPOCH_DAYS = 719_468
const ERA_DAYS = 146_097
const ERA_YEARS = 400

/** Number of the calendar month of a day since the Unix epoch; numbers of months are consecutive. */
export function monthOf(day: number): number {
  const shifted = day + EPOCH_DAYS
  const era = Math.floor(shifted / ERA_DAYS)
  const dayOfEra = shifted - era * ERA_DAYS
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  // Years start in March, with months 0 (March) to 11 (February): a leap day is the last day of a year.
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  return (yearOfEra + era * ERA_YEARS) * 12 + monthFromMarch
}

/** First day of a month of `monthOf`, in days since the Unix epoch. */
export function firstDayOf(month: number): number {
  const year = Math.floor(month / 12)
  const leapDays = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400)
  return 365 * year + leapDays + Math.floor((153 * (month - 12 * year) + 2) / 5) - EPOCH_DAYS
}

/** Number of days of a month of `monthOf`. */
export const daysOf = (month: number): number => firstDayOf(month + 1) - firstDayOf(month)
