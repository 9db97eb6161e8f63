/**
 * Owns the strict JSON reader: exact integers, duplicate keys and lone surrogates rejected, depth bounded, faults with
 * offsets.
 */
import { fail } from './fault.js'
import { JSON_TEXT_MAX_DEPTH } from './limits.js'
import { RawNumber } from './raw-number.js'
import type { Json } from './schema.js'
import { wellFormed } from './text.js'

/** Set an own property of any name, including `__proto__`. */
export function setOwn(target: object, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else (target as Record<string, unknown>)[key] = value
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const INTEGER = /^-?[0-9]+$/
const HEX4 = /^[0-9a-fA-F]{4}$/
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** Position of a path in a JSON text. */
export interface JsonPlace {
  readonly key: number
  readonly value: number
}

/** Recursive-descent reader of one text. */
class JsonScanner {
  private pos = 0
  private depth = 0
  /** Path of the current value and the position of `wanted`, if a position is searched. */
  private readonly trail: (string | number)[] = []
  place: JsonPlace | undefined

  constructor(
    private readonly text: string,
    private readonly wanted: readonly (string | number)[] | undefined,
  ) {}

  run(): Json {
    const value = this.value(0)
    this.space()
    if (this.pos < this.text.length) this.bad('text after the value')
    return value
  }

  private bad(message: string, at = this.pos): never {
    return fail('malformed_json', at >= this.text.length ? `${message}, got the end of the text` : message, at)
  }

  private space(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.pos)
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return
      this.pos++
    }
  }

  /** Record the position of the longest prefix of the wanted path. */
  private visit(key: number): void {
    const { wanted, trail } = this
    if (wanted === undefined || trail.length > wanted.length) return
    for (let i = 0; i < trail.length; i++) if (trail[i] !== wanted[i]) return
    this.place = { key, value: this.pos }
  }

  private value(key: number): Json {
    this.space()
    this.visit(key)
    const unit = this.text.charCodeAt(this.pos)
    if (unit === QUOTE) return this.string()
    if (unit === 0x7b) return this.object()
    if (unit === 0x5b) return this.array()
    if (unit === 0x2d || (unit >= 0x30 && unit <= 0x39)) return this.number()
    if (this.word('true')) return true
    if (this.word('false')) return false
    if (this.word('null')) return null
    return this.bad('expected a JSON value')
  }

  private word(word: string): boolean {
    if (!this.text.startsWith(word, this.pos)) return false
    this.pos += word.length
    return true
  }

  private number(): Json {
    NUMBER.lastIndex = this.pos
    const text = NUMBER.exec(this.text)?.[0]
    if (text === undefined) return this.bad('expected a number')
    this.pos += text.length
    if (INTEGER.test(text)) {
      const value = Number(text)
      if (Number.isSafeInteger(value)) return value === 0 ? 0 : value
    }
    // Only schemas see it; it never leaves the codec.
    return new RawNumber(text) as unknown as Json
  }

  private string(): string {
    const { text } = this
    const open = this.pos
    let from = ++this.pos
    let out = ''
    for (;;) {
      const unit = text.charCodeAt(this.pos)
      if (unit === QUOTE) break
      if (Number.isNaN(unit)) this.bad('unterminated string')
      if (unit < 0x20) this.bad('a control character in a string')
      if (unit === BACKSLASH) {
        out += text.slice(from, this.pos) + this.escape()
        from = this.pos
      } else this.pos++
    }
    out += text.slice(from, this.pos)
    this.pos++
    if (!wellFormed(out)) fail('bad_utf8', 'a lone surrogate in a string', open)
    return out
  }

  private escape(): string {
    const mark = this.text.charAt(this.pos + 1)
    if (mark === 'u') {
      const digits = this.text.slice(this.pos + 2, this.pos + 6)
      if (!HEX4.test(digits)) this.bad('a \\u escape needs four hex digits')
      this.pos += 6
      return String.fromCharCode(Number.parseInt(digits, 16))
    }
    const plain = ESCAPES[mark]
    if (plain === undefined) return this.bad('unknown escape in a string')
    this.pos += 2
    return plain
  }

  private enter(): void {
    if (++this.depth > JSON_TEXT_MAX_DEPTH)
      fail('too_deep', `more than ${JSON_TEXT_MAX_DEPTH} levels of JSON`, this.pos)
    this.pos++
    this.space()
  }

  private array(): Json {
    const items: Json[] = []
    this.enter()
    if (this.text[this.pos] === ']') this.pos++
    else {
      for (;;) {
        this.trail.push(items.length)
        items.push(this.value(this.pos))
        this.trail.pop()
        this.space()
        const mark = this.text[this.pos]
        if (mark !== ',' && mark !== ']') this.bad('expected , or ]')
        this.pos++
        if (mark === ']') break
      }
    }
    this.depth--
    return items
  }

  private object(): Json {
    const out: { [key: string]: Json } = {}
    this.enter()
    if (this.text[this.pos] === '}') this.pos++
    else {
      for (;;) {
        this.space()
        const at = this.pos
        if (this.text.charCodeAt(at) !== QUOTE) this.bad('expected a field name in quotes')
        const key = this.string()
        if (Object.hasOwn(out, key)) fail('duplicate_field', `duplicate field ${JSON.stringify(key)}`, at)
        this.space()
        if (this.text[this.pos] !== ':') this.bad('expected :')
        this.pos++
        this.trail.push(key)
        setOwn(out, key, this.value(at))
        this.trail.pop()
        this.space()
        const mark = this.text[this.pos]
        if (mark !== ',' && mark !== '}') this.bad('expected , or }')
        this.pos++
        if (mark === '}') break
      }
    }
    this.depth--
    return out
  }
}

/** Parse a JSON text; throws a RawFault whose `at` counts UTF-16 units. */
export function scanJson(text: string): Json {
  return new JsonScanner(text, undefined).run()
}

/** Position of a path, or of its longest prefix, in a JSON text that `scanJson` accepts. */
export function placeInJson(text: string, path: readonly (string | number)[]): JsonPlace {
  const scanner = new JsonScanner(text, path)
  scanner.run()
  return scanner.place ?? { key: 0, value: 0 }
}

/** Line and column, both from 1, of a position in a text. */
export function lineAndColumn(text: string, at: number): { line: number; column: number } {
  let line = 1
  let start = 0
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', start)) {
    line++
    start = next + 1
  }
  return { line, column: at - start + 1 }
}
