/**
 * Owns the current view of consensus as the ledger thread reads it between two transactions: memory shared by both
 * threads.
 */
import { type ViewPlace, viewPassed } from '../../consensus/index.js'
import type { BlockHeader } from '../../model/index.js'

const HASH_BYTES = 32
const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT
/** Indexes of the 32-bit words: writes begun, height (two words), view, whether a block is kept, its hash. */
const [WRITES, HIGH, LOW, VIEW, KEPT, HASH] = [0, 1, 2, 3, 4, 5]
const WORDS = HASH + HASH_BYTES / WORD_BYTES
const WORD = 2 ** 32

/** View with one writer, the main thread; a read during a write returns nothing. */
export class CurrentView {
  constructor(readonly memory: Int32Array = new Int32Array(new SharedArrayBuffer(WORDS * WORD_BYTES))) {}

  enter({ height, view, kept }: ViewPlace): void {
    const words = Buffer.alloc(HASH_BYTES)
    if (kept !== undefined) words.set(kept)
    Atomics.add(this.memory, WRITES, 1)
    this.put(HIGH, Math.floor(height / WORD))
    this.put(LOW, height % WORD)
    this.put(VIEW, view)
    this.put(KEPT, kept === undefined ? 0 : 1)
    for (let at = 0; at < HASH_BYTES; at += WORD_BYTES) this.put(HASH + at / WORD_BYTES, words.readInt32LE(at))
    Atomics.add(this.memory, WRITES, 1)
  }

  /** undefined before the first view, and while the next one is being written. */
  read(): ViewPlace | undefined {
    const writes = Atomics.load(this.memory, WRITES)
    if (writes === 0 || writes % 2 !== 0) return undefined
    const height = this.get(HIGH) * WORD + this.get(LOW)
    const view = this.get(VIEW)
    const hash = Buffer.alloc(HASH_BYTES)
    for (let at = 0; at < HASH_BYTES; at += WORD_BYTES) hash.writeInt32LE(this.get(HASH + at / WORD_BYTES) | 0, at)
    const kept = this.get(KEPT) === 0 ? undefined : hash
    return Atomics.load(this.memory, WRITES) === writes ? { height, view, kept } : undefined
  }

  /** True if the execution of a block must stop. */
  hasPassed(header: BlockHeader, blockHash: Uint8Array | undefined): boolean {
    const place = this.read()
    return place !== undefined && viewPassed(place, header, blockHash)
  }

  private put(word: number, value: number): void {
    Atomics.store(this.memory, word, value | 0)
  }

  private get(word: number): number {
    return Atomics.load(this.memory, word) >>> 0
  }
}
