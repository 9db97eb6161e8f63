/** Owns the treatment of blanks around a value. */

const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x9 || unit === 0xa || unit === 0xd

/**
 * Remove the blanks that XML Schema collapses around numbers and dates (only the four XML blanks, so that no other
 * character is lost). It is a loop, because a pattern for trailing blanks takes quadratic time on text full of blanks.
 */
export function collapse(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isBlank(text.charCodeAt(from))) from += 1
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1
  return from === 0 && to === text.length ? text : text.slice(from, to)
}
