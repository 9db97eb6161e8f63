/** Owns the reading of JSON texts of others where no schema reads them: as the platform does, without lone surrogates. */
import { wellFormed } from './text.js'

/** An escape of a text, and in `lone` one of a surrogate without its other half. */
const ESCAPE = /\\(?:[^u]|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u(?![dD][89a-fA-F])|(?<lone>u))/g

function hasLoneEscape(text: string): boolean {
  for (const { groups } of text.matchAll(ESCAPE)) if (groups?.['lone'] !== undefined) return true
  return false
}

/** The value of a text. Throws a `SyntaxError` for what is no JSON, and for a lone surrogate, which has no UTF-8. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!wellFormed(text) || hasLoneEscape(text)) throw new SyntaxError('a lone surrogate in a string')
  return value
}
