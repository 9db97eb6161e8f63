/** Owns number formatting. */

/** A whole number with blanks between thousands. */
export const count = (value: number): string => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ' ')
