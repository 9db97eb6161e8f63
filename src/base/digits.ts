/** Owns the digits of decimal texts. */

/**
 * Pad a decimal to a minimum number of fraction digits; its own digits are kept. A text that is not a decimal is
 * returned unchanged.
 */
export function withDigits(amount: string, digits: number): string {
  const match = /^-?\d+(?:\.(\d+))?$/.exec(amount)
  const missing = digits - (match?.[1]?.length ?? 0)
  if (match === null || missing <= 0) return amount
  return `${amount}${match[1] === undefined ? '.' : ''}${'0'.repeat(missing)}`
}
