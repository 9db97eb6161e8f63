/**
 * Owns the one escape of what a command prints: texts of other people may hold what steers a terminal, turns the writing
 * around or is not seen. All of it is shown as `\u....`, which is also how JSON writes it.
 */

/** Control characters (C0, DEL, C1), formats (bidi, zero-width, tags), lone surrogates, separators of lines. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

const escaped = (sign: string): string =>
  // By code unit, because `\u....` has four digits: signs above U+FFFF become two of them.
  Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')

/** A text that stands on one line: nothing in it ends the line or goes beyond its place. */
export const oneLine = (text: string): string => text.replaceAll(UNSEEN, escaped)

/** A text of several lines: line feeds stay, which the layout of a command is made of. */
export const manyLines = (text: string): string =>
  text.replaceAll(UNSEEN, (sign) => (sign === '\n' ? sign : escaped(sign)))
