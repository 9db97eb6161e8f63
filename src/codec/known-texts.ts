/** Owns a small cache of validated texts, so that repeated names and keys are neither sliced nor validated again. */

/**
 * Number of slots, one text each: names, assets and busy accounts repeat; a collision costs no more than a first
 * occurrence.
 */
const SLOTS = 4096
/** Maximum length of a cached text, in bytes: bounds the memory of one schema to SLOTS times this. */
const KEPT_BYTES = 320

/**
 * Number of texts per generation, in addition to the slots, because an attacker could choose names that share a slot.
 */
const GENERATION = 2048

/** Cache of texts of one schema that passed validation. Its results depend on the text only, never on earlier calls. */
export class KnownTexts {
  private readonly slots: (string | undefined)[] = new Array(SLOTS).fill(undefined)
  private fresh = new Set<string>()
  private old = new Set<string>()

  /** Cached text of these bytes. A cached text has one character per byte. */
  find(buf: Buffer, start: number, end: number): string | undefined {
    const size = end - start
    if (size < 2 || size > KEPT_BYTES) return undefined
    const known = this.slots[slotOf(size, buf[start + (size >> 1)]!, buf[end - 2]!, buf[end - 1]!)]
    if (known === undefined || known.length !== size) return undefined
    for (let i = 0; i < size; i++) if (known.charCodeAt(i) !== buf[start + i]) return undefined
    return known
  }

  /** True if the text is cached. */
  has(text: string): boolean {
    if (text.length <= 1 || text.length > KEPT_BYTES) return false
    return this.slots[slotOfText(text)] === text || this.fresh.has(text) || this.old.has(text)
  }

  /** Store a valid ASCII text until another text uses its slot. */
  keep(text: string): void {
    if (text.length <= 1 || text.length > KEPT_BYTES) return
    this.slots[slotOfText(text)] = text
  }

  /** Cache a valid text of any bytes. */
  note(text: string): void {
    if (text.length <= 1 || text.length > KEPT_BYTES) return
    this.fresh.add(text)
    if (this.fresh.size < GENERATION) return
    this.old = this.fresh
    this.fresh = new Set()
  }
}

/** Slot by length and three bytes, which differ most between names and between keys. */
const slotOf = (size: number, middle: number, beforeLast: number, last: number): number =>
  (size * 37 + middle * 101 + beforeLast * 293 + last * 7) & (SLOTS - 1)

const slotOfText = (text: string): number => {
  const size = text.length
  return slotOf(size, text.charCodeAt(size >> 1), text.charCodeAt(size - 2), text.charCodeAt(size - 1))
}
