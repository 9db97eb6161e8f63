/** Owns the parsing of untrusted JSON without a schema: like the platform's parser, but rejecting lone surrogates. */
import { wellFormed } from './text.js'

/** Escape sequence in a text; `lone` captures a surrogate without its other half. */
const ESCAPE = /\\(?:[^u]|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u(?![dD][89a-fA-F])|(?<lone>u))/g

function hasLoneEscape(text: string): boolean {
  for (const { groups } of text.matchAll(ESCAPE)) if (groups?.['lone'] !== undefined) return true
  return false
}

/** Value of a text. Throws a `SyntaxError` for invalid JSON, and for a lone surrogate, which has no UTF-8 form. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!wellFormed(text) || hasLoneEscape(text)) throw new SyntaxError('a lone surrogate in a string')
  return value
}
