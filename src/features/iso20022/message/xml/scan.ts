/**
 * Owns the lexical pass over the markup: every rule of XML 1.0 (and every bound) that the parser library does not check.
 * It runs before the library in one linear pass, so that the library input is small, flat and free of DOCTYPE.
 */

import { FORBIDDEN_CHARACTER } from '../../schema/xml-text.js'
import type { FaultList } from '../fault.js'
import { MAX_ATTRIBUTES, MAX_DEPTH, MAX_ELEMENTS } from '../limits.js'
import { decodeReferences, QUALIFIED_NAME } from './characters.js'
import type { SourceText } from './source.js'

/** Names that the parser library cannot store in its plain objects. No ISO element has such a name. */
const RESERVED_NAMES = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype'])

const ATTRIBUTE = /([ \t\n]*)([^\s=/>"'<]+)[ \t\n]*=[ \t\n]*("[^"]*"|'[^']*')/y
const TAG_NAME = /[^\s/>"'<=]+/y
const DECLARATION =
  /^<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"1\.0"|'1\.0')(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>$/

interface OpenTag {
  readonly name: string
  readonly offset: number
}

/** Offsets of the start tags in document order, to which the elements of the tree must correspond. */
export interface ScanResult {
  readonly offsets: readonly number[]
}

/** Scan the text once and add every fault; markup that cannot be delimited ends the scan. */
export function scanMarkup(source: SourceText, faults: FaultList): ScanResult {
  return new Scanner(source, faults).run()
}

class Scanner {
  private readonly text: string
  private readonly stack: OpenTag[] = []
  private readonly offsets: number[] = []
  private roots = 0
  private at = 0

  constructor(
    private readonly source: SourceText,
    private readonly faults: FaultList,
  ) {
    this.text = source.text
  }

  run(): ScanResult {
    const forbidden = FORBIDDEN_CHARACTER.exec(this.text)
    if (forbidden !== null)
      this.fault(forbidden.index, 'xml_forbidden_character', forbidden[0], 'characters that XML 1.0 allows')
    let more = true
    while (more && this.at < this.text.length) {
      const open = this.text.indexOf('<', this.at)
      const end = open < 0 ? this.text.length : open
      if (end > this.at) this.characters(this.at, end)
      if (open < 0) break
      this.at = open
      more = this.markup(open)
    }
    if (more) {
      for (const tag of this.stack.toReversed()) {
        this.fault(
          tag.offset,
          'xml_unclosed_element',
          `<${tag.name}>`,
          `</${tag.name}> before the end`,
          'The message may have been cut.',
        )
      }
      if (this.roots === 0) this.fault(0, 'xml_no_root', '', 'one root element')
    }
    return { offsets: this.offsets }
  }

  /** Process markup that starts with '<'; false if its end is missing. */
  private markup(open: number): boolean {
    const text = this.text
    if (text.startsWith('<!--', open)) return this.comment(open)
    if (text.startsWith('<![CDATA[', open)) return this.cdata(open)
    if (text.startsWith('<!', open)) {
      this.fault(
        open,
        'xml_doctype',
        text.slice(open, open + 40),
        'no document type, entity or notation',
        'Remove the <!DOCTYPE …> part; ISO 20022 messages have none.',
      )
      return false
    }
    if (text.startsWith('<?', open)) return this.instruction(open)
    return text.startsWith('</', open) ? this.endTag(open) : this.startTag(open)
  }

  private comment(open: number): boolean {
    const close = this.text.indexOf('--', open + 4)
    if (close < 0) return this.endless(open, 'xml_unclosed_comment', '-->')
    if (this.text[close + 2] !== '>') {
      this.fault(close, 'xml_comment_hyphens', this.text.slice(close, close + 8), 'no -- inside a comment')
      const end = this.text.indexOf('-->', close)
      if (end < 0) return this.endless(open, 'xml_unclosed_comment', '-->')
      this.at = end + 3
    } else this.at = close + 3
    return true
  }

  private cdata(open: number): boolean {
    if (this.stack.length === 0) this.fault(open, 'xml_text_outside_root', '<![CDATA[', 'only the root element')
    const close = this.text.indexOf(']]>', open + 9)
    if (close < 0) return this.endless(open, 'xml_unclosed_cdata', ']]>')
    this.at = close + 3
    return true
  }

  private instruction(open: number): boolean {
    const close = this.text.indexOf('?>', open + 2)
    if (close < 0) return this.endless(open, 'xml_unclosed_instruction', '?>')
    const whole = this.text.slice(open, close + 2)
    this.at = close + 2
    const target = /^<\?([^\s?]*)/.exec(whole)?.[1] ?? ''
    if (target.toLowerCase() === 'xml') {
      if (open > 0)
        this.fault(
          open,
          'xml_declaration_misplaced',
          whole,
          'the XML declaration at the very start',
          'Remove the characters before <?xml.',
        )
      else if (!DECLARATION.test(whole))
        this.fault(open, 'xml_declaration', whole, '<?xml version="1.0" encoding="UTF-8"?>')
    } else if (this.stack.length > 0) {
      this.fault(
        open,
        'xml_instruction',
        whole,
        'no processing instruction',
        'Remove it; ISO 20022 messages have none.',
      )
    }
    return true
  }

  private endTag(open: number): boolean {
    const close = this.text.indexOf('>', open)
    if (close < 0) return this.endless(open, 'xml_unclosed_tag', '>')
    let end = close
    while (isBlank(this.text[end - 1])) end -= 1
    const name = this.text.slice(open + 2, end)
    this.at = close + 1
    const opened = this.stack.at(-1)
    if (opened?.name === name) {
      this.stack.pop()
      return true
    }
    // Only one fault and no guess: an unmatched end tag would make every later tag wrong as well.
    const where =
      opened === undefined
        ? 'no open element'
        : `</${opened.name}>, opened at line ${this.source.place(opened.offset).line}`
    this.fault(open, 'xml_mismatched_tag', `</${name}>`, where)
    return false
  }

  private startTag(open: number): boolean {
    TAG_NAME.lastIndex = open + 1
    const name = TAG_NAME.exec(this.text)?.[0] ?? ''
    if (!QUALIFIED_NAME.test(name)) {
      this.fault(open, 'xml_name', `<${name}`, 'an element name', 'Write &lt; for a less-than sign.')
      return false
    }
    if (RESERVED_NAMES.has(name) || RESERVED_NAMES.has(name.slice(name.indexOf(':') + 1))) {
      this.fault(open, 'xml_reserved_name', name, 'a name that is not reserved')
    }
    this.offsets.push(open)
    if (this.offsets.length > MAX_ELEMENTS) {
      this.fault(open, 'xml_too_many_elements', name, `at most ${MAX_ELEMENTS} elements`)
      return false
    }
    if (this.stack.length === 0) {
      this.roots += 1
      if (this.roots > 1)
        this.fault(open, 'xml_second_root', `<${name}>`, 'one root element', 'Send one message per request.')
    }
    const end = this.attributes(open, open + 1 + name.length)
    if (end < 0) return false
    if (this.text[end] === '/') {
      this.at = end + 2
      return true
    }
    this.at = end + 1
    this.stack.push({ name, offset: open })
    if (this.stack.length > MAX_DEPTH) {
      this.fault(open, 'xml_too_deep', name, `at most ${MAX_DEPTH} open elements`)
      return false
    }
    return true
  }

  /** Read the attributes of a start tag; returns the index of its '>' or '/>', or -1. */
  private attributes(open: number, from: number): number {
    const text = this.text
    const names = new Set<string>()
    let at = from
    for (;;) {
      ATTRIBUTE.lastIndex = at
      const match = ATTRIBUTE.exec(text)
      if (match === null) break
      const [whole, blank = '', name = '', quoted = ''] = match
      if (blank === '') this.fault(at, 'xml_attribute', name, 'a blank before the attribute')
      if (!QUALIFIED_NAME.test(name)) this.fault(at, 'xml_attribute', name, 'an attribute name')
      else if (RESERVED_NAMES.has(name)) this.fault(at, 'xml_reserved_name', name, 'a name that is not reserved')
      if (names.has(name)) this.fault(at, 'xml_duplicate_attribute', name, 'each attribute once')
      names.add(name)
      const valueAt = at + whole.length - quoted.length + 1
      const value = quoted.slice(1, -1)
      const less = value.indexOf('<')
      if (less >= 0) this.fault(valueAt + less, 'xml_attribute', value, 'no < in an attribute', 'Write &lt;.')
      this.references(value, valueAt)
      at += whole.length
      if (names.size > MAX_ATTRIBUTES) {
        this.fault(open, 'xml_too_many_attributes', name, `at most ${MAX_ATTRIBUTES} attributes on an element`)
        return -1
      }
    }
    while (isBlank(text[at])) at += 1
    if (text[at] === '>' || (text[at] === '/' && text[at + 1] === '>')) return at
    this.fault(at < text.length ? at : open, 'xml_tag', text.slice(at, at + 20), 'name="value" pairs, then > or />')
    return -1
  }

  /** Check character data between two pieces of markup. */
  private characters(from: number, to: number): void {
    const data = this.text.slice(from, to)
    if (this.stack.length === 0) {
      const index = data.search(/[^ \t\n]/)
      if (index >= 0)
        this.fault(from + index, 'xml_text_outside_root', data.slice(index).trim(), 'only the root element')
      return
    }
    const close = data.indexOf(']]>')
    if (close >= 0) this.fault(from + close, 'xml_cdata_end_in_text', ']]>', 'no ]]> in text', 'Write ]]&gt;.')
    this.references(data, from)
  }

  private references(raw: string, offset: number): void {
    const decoded = decodeReferences(raw)
    if (decoded.ok) return
    const shown = /^&[^;\s<]{0,20};?/.exec(raw.slice(decoded.index, decoded.index + 24))?.[0] ?? '&'
    this.fault(
      offset + decoded.index,
      'xml_reference',
      shown,
      '&lt; &gt; &amp; &apos; &quot; or a numeric reference to a legal character',
      'Write &amp; for an ampersand.',
    )
  }

  private endless(open: number, code: string, wanted: string): false {
    this.fault(
      open,
      code,
      this.text.slice(open, open + 40),
      `${wanted} before the end`,
      'The message may have been cut.',
    )
    return false
  }

  private fault(
    offset: number,
    code: string,
    value: string,
    expected: string,
    hint = 'Correct the XML; a checker such as xmllint shows the position.',
  ): void {
    const path =
      this.stack.length === 0 ? '/' : `/${this.stack.map((tag) => tag.name.slice(tag.name.indexOf(':') + 1)).join('/')}`
    this.faults.add({ code, path, at: this.source.place(offset), value, expected, hint })
  }
}

function isBlank(unit: string | undefined): boolean {
  return unit === ' ' || unit === '\t' || unit === '\n'
}
