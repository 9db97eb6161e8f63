/** Owns the characters that XML 1.0 allows, and the escaping of text in XML documents. */

/** A code point that XML 1.0 does not allow in a document. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
export const FORBIDDEN_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

const NOT_XML = new RegExp(FORBIDDEN_CHARACTER.source, 'gu')
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/**
 * Controls, line breaks and format characters: XML readers, indentation and terminals change them if they are not
 * escaped.
 */
const BY_NUMBER = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * Escapes a text as element content or attribute value. Invisible characters become references, which every XML
 * reader decodes to the same characters. Characters that XML 1.0 does not allow become U+FFFD.
 */
export const escapeXml = (text: string): string =>
  // Conversion via UTF-8 replaces lone surrogates.
  Buffer.from(text, 'utf8')
    .toString('utf8')
    .replace(NOT_XML, '\ufffd')
    .replace(/[&<>"]/g, (unit) => ESCAPES[unit] ?? unit)
    .replace(BY_NUMBER, (sign) => `&#x${sign.codePointAt(0)?.toString(16)};`)
