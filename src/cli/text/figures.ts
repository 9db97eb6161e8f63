/** Owns the formatting of numbers and times. */

/** A whole number with blanks between thousands. */
export const count = (value: number): string => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ' ')

/** Time of day in UTC, to the second: the same in every time zone. */
export const clockText = (ms: number): string => new Date(ms).toISOString().slice(11, 19)
