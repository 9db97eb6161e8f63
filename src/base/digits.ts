/** Owns the digits of decimal texts. */

/** A decimal with at least so many digits behind the point; none of its own is cut. A text that is no decimal stays as it is. */
export function withDigits(amount: string, digits: number): string {
  const match = /^-?\d+(?:\.(\d+))?$/.exec(amount)
  const missing = digits - (match?.[1]?.length ?? 0)
  if (match === null || missing <= 0) return amount
  return `${amount}${match[1] === undefined ? '.' : ''}${'0'.repeat(missing)}`
}
