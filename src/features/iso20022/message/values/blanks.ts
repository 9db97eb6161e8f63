/** Owns the treatment of blanks around a value. */

/** Trims the blanks XML Schema collapses around numbers and dates. */
export function collapse(text: string): string {
  return text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
}
