/** Owns the formatting of numbers and times. */

/** Integer with blanks between thousands. */
export const count = (value: number): string => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ' ')

/** Parts per million as an exact percentage: `3.65%`. */
export const percentText = (ppm: number): string => `${ppm / 10_000}%`

/** UTC time in ISO 8601; a number of ms outside of the date range stays a number. */
export function isoTime(ms: unknown): string {
  const date = new Date(Number(ms))
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString()
}

/** Time of day in UTC, to the second: the same in every time zone. */
export const clockText = (ms: number): string => isoTime(ms).slice(11, 19)
