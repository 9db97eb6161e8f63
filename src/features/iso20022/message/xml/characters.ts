/** Owns the character rules of XML 1.0: names and references. */

// XML 1.0, fifth edition, productions 4 and 4a without the colon.
const NAME_START =
  'A-Z_a-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}'
const NAME_REST = `${NAME_START}.0-9\\u00b7\\u0300-\\u036f\\u203f\\u2040-`
const NCNAME = `[${NAME_START}][${NAME_REST}]*`

/** A complete qualified name: an optional prefix and a local part. */
export const QUALIFIED_NAME = new RegExp(`^(?:${NCNAME}:)?${NCNAME}$`, 'u')

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', apos: "'", quot: '"' }
const REFERENCE = /&(?:#([0-9]{1,7})|#x([0-9a-fA-F]{1,6})|([a-z]{2,4}));/y

/** True if a code point is allowed in an XML 1.0 document (production 2). */
function isCharacter(point: number): boolean {
  return (
    point === 0x9 ||
    point === 0xa ||
    point === 0xd ||
    (point >= 0x20 && point <= 0xd7ff) ||
    (point >= 0xe000 && point <= 0xfffd) ||
    (point >= 0x10000 && point <= 0x10ffff)
  )
}

/**
 * Replace the five named references and the numeric ones; no others exist without a DOCTYPE.
 *
 * @returns the text, or the index of the first ampersand that does not start a legal reference
 */
export function decodeReferences(raw: string): { ok: true; text: string } | { ok: false; index: number } {
  let at = raw.indexOf('&')
  if (at < 0) return { ok: true, text: raw }
  let text = ''
  let done = 0
  while (at >= 0) {
    REFERENCE.lastIndex = at
    const match = REFERENCE.exec(raw)
    if (match === null) return { ok: false, index: at }
    const [whole, decimal, hex, name] = match
    let character: string | undefined
    if (name !== undefined) character = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined
    else {
      const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number.parseInt(decimal, 10)
      character = isCharacter(point) ? String.fromCodePoint(point) : undefined
    }
    if (character === undefined) return { ok: false, index: at }
    text += raw.slice(done, at) + character
    done = at + whole.length
    at = raw.indexOf('&', done)
  }
  return { ok: true, text: text + raw.slice(done) }
}
