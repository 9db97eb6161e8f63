/** Owns dates and times: XML Schema date and dateTime, checked against the calendar. */
import { collapse } from './blanks.js'
import type { ValueProblem } from './problem.js'

const DATE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/
const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]{1,12})?(Z|[+-]([0-9]{2}):([0-9]{2}))?$/

const problem = (code: string, expected: string, hint?: string): ValueProblem => ({
  code,
  expected,
  reasonCode: 'DT01',
  hint,
})

/** Check a calendar date YYYY-MM-DD. A zone, legal in XML Schema, is refused, because a settlement date has none. */
export function checkDate(value: string): ValueProblem | undefined {
  const text = collapse(value)
  const match = DATE.exec(text)
  if (match === null) {
    const hint = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(Z|[+-])/.test(text) ? 'Leave the time zone out.' : undefined
    return problem('date_format', 'a date YYYY-MM-DD', hint)
  }
  const [year, month, day] = [match[1], match[2], match[3]].map((part) => Number.parseInt(part ?? '', 10)) as [
    number,
    number,
    number,
  ]
  return year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)
    ? undefined
    : problem(
        'date_calendar',
        'a day of the calendar',
        month === 2 && day === 29 ? `${year} has no 29 February.` : undefined,
      )
}

/** Check a time of day; 24:00:00 is midnight at the end of the day. A second of 60 is invalid, as in XML Schema. */
export function checkTime(value: string): ValueProblem | undefined {
  const match = TIME.exec(collapse(value))
  if (match === null) return problem('time_format', 'hh:mm:ss, an optional fraction and an optional offset')
  const [hour, minute, second, zoneHour, zoneMinute] = [
    match[1],
    match[2],
    match[3],
    match[5] ?? '0',
    match[6] ?? '0',
  ].map((part) => Number.parseInt(part ?? '', 10)) as [number, number, number, number, number]
  const clock = hour === 24 ? minute === 0 && second === 0 : hour < 24 && minute < 60 && second < 60
  const zone = zoneMinute < 60 && zoneHour * 60 + zoneMinute <= 14 * 60
  return clock && zone ? undefined : problem('time_clock', 'a time of the clock and an offset of at most 14 hours')
}

/** Check YYYY-MM-DDThh:mm:ss, with an optional fraction and an optional Z or ±hh:mm. */
export function checkDateTime(value: string): ValueProblem | undefined {
  const text = collapse(value)
  const expected = 'a date and time such as 2026-03-01T10:00:00Z'
  const split = text.indexOf('T')
  if (split !== 10) return problem('datetime_format', expected, DATE.test(text) ? 'The time is missing.' : undefined)
  const wrong = checkDate(text.slice(0, split)) ?? checkTime(text.slice(split + 1))
  return wrong === undefined
    ? undefined
    : problem(wrong.code.endsWith('_format') ? 'datetime_format' : wrong.code, expected, wrong.hint)
}

/** Check a date and time in UTC (ISO 20022 ISONormalisedDateTime): it ends with Z. */
export function checkUtcDateTime(value: string): ValueProblem | undefined {
  const wrong = checkDateTime(value)
  if (wrong !== undefined || collapse(value).endsWith('Z')) return wrong
  return problem(
    'datetime_zone',
    'a date and time in UTC such as 2026-03-01T10:00:00Z',
    'This version of the header has no offsets.',
  )
}

/** Days from one date to another, both valid YYYY-MM-DD; negative if the second is earlier. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from)
}

/** Days of the proleptic Gregorian calendar since 1970-01-01. */
function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 86_400_000
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
