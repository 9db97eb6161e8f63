/** Owns a scan of JSON text: canonical form and decoding cost, without building the value. */

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39
const LETTER_U = 0x75
const SPACE = 0x20
/** Number of digits up to which every number is exact; one more needs a check, two more are never exact. */
const DIGITS_EXACT = 15
/**
 * Characters after the backslash of a canonical escape: a short escape, or four digits for a control character that has
 * no short escape.
 */
const SHORT_ESCAPES = new Set(Buffer.from('"\\bfnrt'))
const LONG_ESCAPE = /^00(?:0[0-7be-f]|1[0-9a-f])$/

/**
 * Weights of a list, of a field and of an object, besides their bytes: an object with distinct field names is a
 * separate hidden class in the engine.
 */
export const LIST_WEIGHT = 1
export const FIELD_WEIGHT = 2
export const OBJECT_WEIGHT = 6

/** Scanner of one text; each step returns whether the skipped part is canonical. */
class Walk {
  weight = 0
  private pos = 0

  constructor(private readonly text: string) {}

  all(depthLeft: number): boolean {
    return this.value(depthLeft) && this.pos === this.text.length
  }

  private value(depthLeft: number): boolean {
    const code = this.text.charCodeAt(this.pos)
    if (code === QUOTE) return this.string()
    if (code === OPEN_LIST) return depthLeft > 0 && this.list(depthLeft - 1)
    if (code === OPEN_OBJECT) return depthLeft > 0 && this.object(depthLeft - 1)
    return code === MINUS || (code >= ZERO && code <= NINE) ? this.integer() : this.word()
  }

  private list(depthLeft: number): boolean {
    this.weight += LIST_WEIGHT
    this.pos += 1
    if (this.took(CLOSE_LIST)) return true
    do {
      if (!this.value(depthLeft)) return false
    } while (this.took(COMMA))
    return this.took(CLOSE_LIST)
  }

  private object(depthLeft: number): boolean {
    this.weight += OBJECT_WEIGHT
    this.pos += 1
    if (this.took(CLOSE_OBJECT)) return true
    let before: string | undefined
    do {
      const name = this.name()
      // Names are ordered by UTF-16 units, as `<` does; none occurs twice.
      if (name === undefined || (before !== undefined && before >= name)) return false
      before = name
      this.weight += FIELD_WEIGHT
      if (!this.took(COLON) || !this.value(depthLeft)) return false
    } while (this.took(COMMA))
    return this.took(CLOSE_OBJECT)
  }

  private name(): string | undefined {
    const start = this.pos
    if (this.text.charCodeAt(start) !== QUOTE || !this.string()) return undefined
    const name = this.text.slice(start + 1, this.pos - 1)
    return name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name
  }

  private string(): boolean {
    const { text } = this
    for (let at = this.pos + 1; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) {
        this.pos = at + 1
        return true
      }
      if (code < SPACE) return false
      if (code !== BACKSLASH) continue
      at += 1
      const letter = text.charCodeAt(at)
      if (SHORT_ESCAPES.has(letter)) continue
      if (letter !== LETTER_U || !LONG_ESCAPE.test(text.slice(at + 1, at + 5))) return false
      at += 4
    }
    return false
  }

  private integer(): boolean {
    if (this.took(MINUS) && this.text.charCodeAt(this.pos) === ZERO) return false
    const start = this.pos
    for (let code = this.text.charCodeAt(start); code >= ZERO && code <= NINE; code = this.text.charCodeAt(this.pos)) {
      this.pos += 1
    }
    const digits = this.pos - start
    if (digits === 0 || (digits > 1 && this.text.charCodeAt(start) === ZERO)) return false
    if (digits <= DIGITS_EXACT) return true
    return digits === DIGITS_EXACT + 1 && Number.isSafeInteger(Number(this.text.slice(start, this.pos)))
  }

  private word(): boolean {
    const word = ['null', 'true', 'false'].find((one) => this.text.startsWith(one, this.pos))
    this.pos += word?.length ?? 0
    return word !== undefined
  }

  private took(code: number): boolean {
    if (this.text.charCodeAt(this.pos) !== code) return false
    this.pos += 1
    return true
  }
}

/**
 * Weight of the value of a canonical JSON text without fractions (RFC 8785): of its lists, objects and fields.
 * Undefined if the text is not canonical, or nested deeper than `maxDepth`. `text` must have no lone surrogates.
 */
export function canonicalWeight(text: string, maxDepth: number): number | undefined {
  const walk = new Walk(text)
  return walk.all(maxDepth) ? walk.weight : undefined
}
