/** Owns text enums of parameters. */
import { isOneOf } from '../base/guards.js'
import { refine, type Schema, string } from '../codec/index.js'
import { nearest } from '../model/suggest.js'

/** Schema of an enum text; an unknown value is refused with the known values and the closest match. */
export function word<W extends string>(name: string, words: readonly W[]): Schema<W> {
  const maxBytes = Math.max(...words.map((one) => one.length))
  const check = (text: string): string | undefined => {
    if (isOneOf(words, text)) return undefined
    const meant = nearest(text, words)
    return `unknown value ${JSON.stringify(text)}; expected one of ${words.join(', ')}${meant === undefined ? '' : `. Did you mean ${meant}?`}`
  }
  return refine(string(maxBytes + WORD_SLACK_BYTES), name, check, { enum: [...words] }) as Schema<W>
}

/**
 * Maximum number of bytes by which a misspelt word may exceed the longest known word and still get the list of known
 * words.
 */
const WORD_SLACK_BYTES = 32
