/** Owns the escaping of text that is written as XML. */
import { FORBIDDEN_CHARACTER } from './characters.js'

const NOT_XML = new RegExp(FORBIDDEN_CHARACTER.source, 'gu')
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Controls, line breaks and formats: readers, indentation and terminals change them where they are written as they are. */
const BY_NUMBER = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * Escapes a text as element content or attribute value. Characters that are not seen become references, which every reader of XML
 * gives back as the same characters. What XML 1.0 cannot hold becomes U+FFFD.
 */
export const escapeXml = (text: string): string =>
  // The way over UTF-8 replaces lone surrogates.
  Buffer.from(text, 'utf8')
    .toString('utf8')
    .replace(NOT_XML, '\ufffd')
    .replace(/[&<>"]/g, (unit) => ESCAPES[unit] ?? unit)
    .replace(BY_NUMBER, (sign) => `&#x${sign.codePointAt(0)?.toString(16)};`)
