/**
 * Owns the flat JSON form: one object of strings with the keys of the flat lines; objects nest keys, arrays repeat
 * them.
 */
import { wellFormed } from '../../../codec/text.js'
import { FORBIDDEN_CHARACTER } from '../schema/xml-text.js'
import type { Findings } from './draft.js'
import type { FlatBody, Pair } from './flat.js'
import { isPaymentsKey } from './flat-keys.js'
import { MAX_FLAT_DEPTH, MAX_FLAT_KEY_CHARS, MAX_FLAT_LINES } from './limits.js'
import { collapse } from './values/blanks.js'
import type { SourceText } from './xml/source.js'

/** Key of the family, named like the attribute of the flat XML form. */
const MESSAGE_KEY = 'message'

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings (RFC 8259, section 7)
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const OTHER = /-?[0-9][0-9.eE+-]*|true|false|null/y
const BLANK = /[ \t\r\n]*/y

/** Thrown only in this file: the text is not JSON, and the fields read so far are discarded. */
class NoJson extends Error {
  constructor(
    readonly offset: number,
    readonly expected: string,
  ) {
    super(expected)
  }
}

/**
 * Read a flat JSON body: strict JSON, no duplicate key, every value a string. Numbers are refused, because most
 * senders' libraries round them. The pairs are then processed like flat lines.
 */
export function readFlatJson(source: SourceText, findings: Findings): FlatBody | undefined {
  const reader = new FlatJson(source, findings)
  try {
    return reader.run()
  } catch (error) {
    if (!(error instanceof NoJson)) throw error
    findings.faults.add({
      code: 'json_malformed',
      path: '/',
      at: source.place(Math.min(error.offset, source.text.length)),
      value: source.text.slice(error.offset, error.offset + 16),
      expected: error.expected,
    })
    return undefined
  }
}

class FlatJson {
  private at = 0
  private readonly pairs: Pair[] = []
  private message: string | undefined
  /** Number of entries in a list of payments. */
  private listed = 0

  constructor(
    private readonly source: SourceText,
    private readonly findings: Findings,
  ) {}

  run(): FlatBody {
    this.blanks()
    this.object('', 1)
    this.blanks()
    if (this.pairs.length === 0 && this.message === undefined && this.findings.faults.isEmpty)
      throw new NoJson(0, 'an object with the fields of a message')
    if (this.at < this.source.text.length) throw new NoJson(this.at, 'the end of the text')
    return { form: 'json', pairs: this.pairs, message: this.message, listed: this.listed }
  }

  private object(prefix: string, depth: number): void {
    if (depth > MAX_FLAT_DEPTH) throw new NoJson(this.at, `at most ${MAX_FLAT_DEPTH} objects in each other`)
    this.take('{', 'an object')
    const seen = new Set<string>()
    if (this.tryTake('}')) return
    do {
      this.blanks()
      const at = this.at
      const key = this.text('a key in quotes')
      // Every value below it has this key in its own.
      if (prefix.length + key.length > MAX_FLAT_KEY_CHARS)
        throw new NoJson(at, `keys of at most ${MAX_FLAT_KEY_CHARS} characters, with those around them`)
      if (seen.has(key)) this.fault('field_repeated', this.keyOf(prefix, key), at, key, `${key} once`)
      seen.add(key)
      this.blanks()
      this.take(':', 'a colon')
      this.blanks()
      this.value(this.keyOf(prefix, key), depth)
      this.blanks()
    } while (this.tryTake(','))
    this.take('}', 'a comma or the end of the object')
  }

  private value(key: string, depth: number): void {
    const { text } = this.source
    const at = this.at
    switch (text[at]) {
      case '"':
        return this.pair(key, this.text('a text'), at)
      case '{':
        return this.object(`${key}/`, depth + 1)
      case '[':
        return this.list(key, depth)
      default:
        return this.other(key)
    }
  }

  private list(key: string, depth: number): void {
    this.take('[', 'a list')
    this.blanks()
    if (this.tryTake(']')) return
    let number = 0
    do {
      this.blanks()
      number += 1
      if (this.source.text[this.at] === '[') throw new NoJson(this.at, 'no list in a list')
      this.value(`${key}[${number}]`, depth)
      this.blanks()
    } while (this.tryTake(','))
    this.take(']', 'a comma or the end of the list')
    if (isPaymentsKey(key)) this.listed = Math.max(this.listed, number)
  }

  /** Refuse a number, true, false or null: well-formed JSON, but not a value of a message. */
  private other(key: string): void {
    const at = this.at
    OTHER.lastIndex = at
    const word = OTHER.exec(this.source.text)?.[0]
    if (word === undefined) throw new NoJson(at, 'a text in quotes')
    this.at += word.length
    this.fault('json_value', key, at, word, 'a text in quotes', 'Amounts too: numbers lose digits on their way.')
  }

  private pair(key: string, raw: string, offset: number): void {
    if (this.pairs.length >= MAX_FLAT_LINES) throw new NoJson(offset, `at most ${MAX_FLAT_LINES} values`)
    if (key === MESSAGE_KEY) this.message = collapse(raw)
    else if (FORBIDDEN_CHARACTER.test(raw)) {
      this.fault('flat_character', key, offset, raw, 'text without control characters')
    } else this.pairs.push({ key, value: raw, path: `/${key}`, at: this.source.place(offset) })
  }

  private text(expected: string): string {
    STRING.lastIndex = this.at
    const raw = STRING.exec(this.source.text)?.[0]
    if (raw === undefined) throw new NoJson(this.at, expected)
    const text = JSON.parse(raw) as string
    // A lone surrogate cannot be encoded in UTF-8: it would be replaced.
    if (!wellFormed(text)) throw new NoJson(this.at, 'whole characters, no lone surrogate')
    this.at += raw.length
    return text
  }

  private keyOf(prefix: string, key: string): string {
    return `${prefix}${collapse(key)}`
  }

  private blanks(): void {
    BLANK.lastIndex = this.at
    this.at += BLANK.exec(this.source.text)?.[0].length ?? 0
  }

  private tryTake(unit: string): boolean {
    this.blanks()
    if (this.source.text[this.at] !== unit) return false
    this.at += 1
    return true
  }

  private take(unit: string, expected: string): void {
    if (!this.tryTake(unit)) throw new NoJson(this.at, expected)
  }

  private fault(code: string, key: string, offset: number, value: string, expected: string, hint?: string): void {
    this.findings.faults.add({
      code,
      path: `/${key}`,
      at: this.source.place(offset),
      value,
      expected,
      hint,
    })
  }
}
