/** Owns the escaping of text that is written as XML. */
import { FORBIDDEN_CHARACTER } from './characters.js'

const NOT_XML = new RegExp(FORBIDDEN_CHARACTER.source, 'gu')
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as element content or attribute value; what XML 1.0 cannot hold becomes U+FFFD. */
export const escapeXml = (text: string): string =>
  // The way over UTF-8 replaces lone surrogates.
  Buffer.from(text, 'utf8')
    .toString('utf8')
    .replace(NOT_XML, '\ufffd')
    .replace(/[&<>"]/g, (unit) => ESCAPES[unit] ?? unit)
