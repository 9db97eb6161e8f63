/** Owns the set of global states: vectors of small numbers in typed arrays, each with the preceding state. */

/** States per chunk of memory, as a power of two; the set grows by chunks, without copying. */
const CHUNK_BITS = 20
const CHUNK = 1 << CHUNK_BITS
const MASK = CHUNK - 1
const FIRST_SLOTS = 1 << 20
/** Share of used slots above which their number doubles. */
const LOAD_MAX = 0.7
const FREE = -1

/** Writes the numbers that identify a vector; vectors with equal numbers are one state. */
export type Identify = (vector: Int32Array, identity: Int32Array) => void

const asItIs: Identify = (vector, identity) => identity.set(vector)

/** Set of vectors in the order of their addition. */
export class VectorSet {
  size = 0
  private readonly vectors: Int32Array[] = []
  private readonly parents: Int32Array[] = []
  private slots = new Int32Array(FIRST_SLOTS).fill(FREE)
  private readonly identity: Int32Array
  private readonly other: Int32Array
  private readonly stored: Int32Array

  constructor(
    private readonly width: number,
    private readonly identify: Identify = asItIs,
  ) {
    this.identity = new Int32Array(width)
    this.other = new Int32Array(width)
    this.stored = new Int32Array(width)
  }

  /** Bytes per state, including slots. */
  get bytesPerState(): number {
    return this.size === 0 ? 0 : 4 * (this.width + 1) + (4 * this.slots.length) / this.size
  }

  read(state: number, into: Int32Array): void {
    const chunk = this.vectors[state >>> CHUNK_BITS] as Int32Array
    const from = (state & MASK) * this.width
    for (let at = 0; at < this.width; at++) into[at] = chunk[from + at] as number
  }

  /** Preceding state of a state; -1 for the first one. */
  parentOf(state: number): number {
    return (this.parents[state >>> CHUNK_BITS] as Int32Array)[state & MASK] as number
  }

  /** Add a vector; false if it is known. */
  add(vector: Int32Array, parent: number): boolean {
    const { identity } = this
    this.identify(vector, identity)
    const mask = this.slots.length - 1
    let slot = hashOf(identity) & mask
    for (let state = this.slots[slot] as number; state !== FREE; state = this.slots[slot] as number) {
      if (this.isSame(state)) return false
      slot = (slot + 1) & mask
    }
    this.append(vector, parent)
    this.slots[slot] = this.size
    this.size += 1
    if (this.size > this.slots.length * LOAD_MAX) this.grow()
    return true
  }

  private isSame(state: number): boolean {
    const { identity, other, stored } = this
    this.read(state, stored)
    this.identify(stored, other)
    for (let at = 0; at < this.width; at++) if (identity[at] !== other[at]) return false
    return true
  }

  private append(vector: Int32Array, parent: number): void {
    const index = this.size >>> CHUNK_BITS
    if (index === this.vectors.length) {
      this.vectors.push(new Int32Array(CHUNK * this.width))
      this.parents.push(new Int32Array(CHUNK))
    }
    ;(this.vectors[index] as Int32Array).set(vector, (this.size & MASK) * this.width)
    ;(this.parents[index] as Int32Array)[this.size & MASK] = parent
  }

  private grow(): void {
    const slots = new Int32Array(this.slots.length * 2).fill(FREE)
    const mask = slots.length - 1
    for (let state = 0; state < this.size; state++) {
      this.read(state, this.stored)
      this.identify(this.stored, this.other)
      let slot = hashOf(this.other) & mask
      while (slots[slot] !== FREE) slot = (slot + 1) & mask
      slots[slot] = state
    }
    this.slots = slots
  }
}

/** Finaliser of MurmurHash3 over the numbers. */
function hashOf(numbers: Int32Array): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < numbers.length; at++) {
    hash ^= numbers[at] as number
    hash = Math.imul(hash, 0x85ebca6b)
    hash ^= hash >>> 13
    hash = Math.imul(hash, 0xc2b2ae35)
    hash ^= hash >>> 16
  }
  return hash >>> 0
}
