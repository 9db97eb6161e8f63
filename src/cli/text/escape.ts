/**
 * Owns the escaping of command output: untrusted texts may contain control sequences, bidirectional controls or
 * invisible characters. They are shown as `\\u....`, as in JSON.
 */

/** Control characters (C0, DEL, C1), formats (bidi, zero-width, tags), lone surrogates, separators of lines. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

const escaped = (sign: string): string =>
  // By code unit, because `\u....` has four digits: characters above U+FFFF become two of them.
  Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')

/** Text restricted to one line: it cannot end the line or move the cursor. */
export const oneLine = (text: string): string => text.replaceAll(UNSEEN, escaped)

/** Text of several lines; line feeds are kept. */
export const manyLines = (text: string): string =>
  text.replaceAll(UNSEEN, (sign) => (sign === '\n' ? sign : escaped(sign)))

/** Maximum displayed length of a text of a peer or an error, in characters. */
const FOREIGN_MAX = 400

/** Untrusted text without control sequences and characters that are not one column wide. */
export function clean(text: string): string {
  const clipped = text.length > FOREIGN_MAX ? `${text.slice(0, FOREIGN_MAX)}…` : text
  return [...clipped].map((sign) => (/^[\x20-\x7e…·→–]$/.test(sign) ? sign : '?')).join('')
}
