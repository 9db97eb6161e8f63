/** Owns the parsing of dates and times such as `2027-01-31` and `2027-01-31T09:00:00Z`. */
import { usageError } from '../terminal/failure.js'

const DAY_AND_TIME = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** Parsed point in time. */
export interface WrittenTime {
  /** Milliseconds since the Unix epoch; for a day its start in UTC. */
  readonly ms: number
  readonly isDay: boolean
}

/**
 * Parse a day, or a date and time with its zone (RFC 3339, seconds optional); undefined for anything else, including a
 * day that does not exist.
 */
export function timeFrom(text: string): WrittenTime | undefined {
  const [, day, time] = DAY_AND_TIME.exec(text) ?? []
  if (day === undefined) return undefined
  const startMs = Date.parse(`${day}T00:00:00Z`)
  // The runtime reads 30 February as 2 March, which would be two days late.
  if (Number.isNaN(startMs) || !new Date(startMs).toISOString().startsWith(day)) return undefined
  const ms = time === undefined ? startMs : Date.parse(text)
  return Number.isNaN(ms) ? undefined : { ms, isDay: time === undefined }
}

/** Milliseconds since the Unix epoch of a time flag; throws `usage`. */
export function parseTime(text: string, name: string): number {
  const time = timeFrom(text)
  if (time === undefined)
    throw usageError(`${name}: "${text}" is not a time`, 'Write an existing date, for example 2027-01-31T09:00:00Z.')
  return time.ms
}
