/** Owns the check digits of ISO 7064 MOD 97-10, used by IBANs, LEIs and creditor references. */

/**
 * Remainder by 97 of letters and digits as a number, each letter as two digits from 10; 1 if the check digits are
 * correct.
 */
export function remainderBy97(text: string): number {
  let remainder = 0
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value < 10 ? 10 : 100) + value) % 97
  }
  return remainder
}

/**
 * True if the standard can generate two check digits. It never generates 00, 01 and 99, although they can give the
 * correct remainder.
 */
export const areGenerated = (digits: string): boolean => {
  const number = Number.parseInt(digits, 10)
  return number >= 2 && number <= 98
}
