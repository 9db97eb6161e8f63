/** Owns the quick look at JSON text: most of it is canonical, which shows without building the value and writing it again. */

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
/** Digits of which every number is exact. */
const DIGITS_MAX = 15

/** Walks one text; each step says whether what it passed is canonical. */
class Walk {
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
    this.pos += 1
    if (this.took(CLOSE_LIST)) return true
    do {
      if (!this.value(depthLeft)) return false
    } while (this.took(COMMA))
    return this.took(CLOSE_LIST)
  }

  private object(depthLeft: number): boolean {
    this.pos += 1
    if (this.took(CLOSE_OBJECT)) return true
    let before: string | undefined
    do {
      const start = this.pos
      if (this.text.charCodeAt(start) !== QUOTE || !this.string()) return false
      // Names without escapes: their order is that of the text.
      const name = this.text.slice(start + 1, this.pos - 1)
      if (before !== undefined && before >= name) return false
      before = name
      if (!this.took(COLON) || !this.value(depthLeft)) return false
    } while (this.took(COMMA))
    return this.took(CLOSE_OBJECT)
  }

  /** A string without escapes and surrogates; others are for the slow way. */
  private string(): boolean {
    const { text } = this
    for (let at = this.pos + 1; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) {
        this.pos = at + 1
        return true
      }
      if (code < 0x20 || code === BACKSLASH || (code >= 0xd800 && code <= 0xdfff)) return false
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
    return digits > 0 && digits <= DIGITS_MAX && (digits === 1 || this.text.charCodeAt(start) !== ZERO)
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
 * True for text that is certainly the canonical JSON of a value nested at most so deep. False says nothing: escapes, long
 * numbers and what is wrong are for the reader that builds the value.
 */
export const isSurelyCanonical = (text: string, maxDepth: number): boolean => new Walk(text).all(maxDepth)
