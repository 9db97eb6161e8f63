/** Owns the calendars of business days on the command line. */
import type { Json } from '../../codec/index.js'
import { isJsonList } from '../../codec/schema.js'
import { parseDuration } from '../input/duration.js'
import { usageError } from '../terminal/failure.js'

const MINUTE_MS = 60_000
const MINUTES_PER_DAY = 1_440
const NO_WEEKEND = 'none'
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** Minutes of `+02:00`, `-05:30`. Throws `usage`. */
export function offsetOf(text: string): number {
  const [, sign, hours, minutes] = /^([+-])([0-9]{2}):([0-9]{2})$/.exec(text) ?? []
  if (hours === undefined) throw usageError(`--offset: "${text}" is not an offset`, 'Write, for example, +02:00.')
  const total = Number(hours) * 60 + Number(minutes)
  return sign === '-' && total > 0 ? -total : total
}

/** Minute of the local day of `18:00`, or of a time from now such as `+2m`, rounded up. Throws `usage`. */
export function cutoffOf(text: string, offsetMinutes: number, nowMs: number): number {
  if (text.startsWith('+')) {
    const atMs = nowMs + offsetMinutes * MINUTE_MS + parseDuration(text.slice(1), '--cutoff')
    const minute = Math.ceil(atMs / MINUTE_MS)
    return ((minute % MINUTES_PER_DAY) + MINUTES_PER_DAY) % MINUTES_PER_DAY
  }
  const [, hours, minutes] = /^([0-9]{2}):([0-9]{2})$/.exec(text) ?? []
  const minute = Number(hours) * 60 + Number(minutes)
  if (!(minute < MINUTES_PER_DAY && Number(minutes) < 60))
    throw usageError(`--cutoff: "${text}" is not a time of the day`, 'Write, for example, 18:00, or +2m from now.')
  return minute
}

/** Days of `sat,sun`, or of `none`, in their JSON form. Throws `usage`. */
export function weekendOf(text: string): string[] {
  if (text === NO_WEEKEND) return []
  return text.split(',').map((day) => {
    if (!WEEKDAYS.includes(day)) throw usageError(`--weekend: "${day}" is not a day`, 'Write, for example, sat,sun.')
    return day.charAt(0).toUpperCase() + day.slice(1)
  })
}

/** Holidays of a file: a list of dates. Throws `usage`. */
export function holidaysOf(file: Json): string[] {
  if (isJsonList(file) && file.every((one) => typeof one === 'string')) return [...file].sort() as string[]
  throw usageError('--holidays: expected a list of dates', 'Write, for example, ["2026-12-25", "2027-01-01"].')
}
