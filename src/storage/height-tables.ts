/**
 * Owns the in-memory index of block heights by hash: open-addressing tables of (four bytes of the hash, height), at
 * most 3/4 full, one per range of blocks. A single table would have to be rebuilt whenever it doubles, which takes a
 * third of a second per million blocks, at the same height on all nodes of a network. Also, one array is limited to
 * 2^32 words.
 */

/** Slots per table, eight bytes each, few enough to rebuild a growing table in a fraction of a second. */
const TABLE_SLOTS = 2 ** 20
/** Initial slots of the first table, since most chains in tests have few blocks. */
const FIRST_SLOTS = 1024

/** Read the hashes of the blocks of a range of heights, both ends included. */
export type HashReader = (from: number, to: number, take: (hash: Uint8Array, height: number) => void) => void

/** Heights of one chain. */
export class HeightTables {
  private readonly tables: Uint32Array[] = []
  /** Number of blocks per table. */
  private readonly heights: number

  constructor(
    private readonly read: HashReader,
    private readonly slots = TABLE_SLOTS,
  ) {
    this.heights = Math.floor((3 / 4) * slots)
  }

  /** Add the next height. */
  add(hash: Uint8Array, height: number): void {
    const at = Math.floor((height - 1) / this.heights)
    const before = at * this.heights
    let table = this.tables[at]
    if (table === undefined) table = new Uint32Array(2 * (at === 0 ? Math.min(FIRST_SLOTS, this.slots) : this.slots))
    else if (height - before > (3 / 8) * table.length) table = this.wider(table, before, height)
    this.tables[at] = table
    place(table, hash, height - before)
  }

  /** Height of a hash; `isAt` checks a candidate whose hash has the same prefix. */
  heightOf(hash: Uint8Array, isAt: (height: number) => boolean): number | undefined {
    // The newest first, since they are requested most.
    for (let at = this.tables.length - 1; at >= 0; at -= 1) {
      const table = this.tables[at] as Uint32Array
      const before = at * this.heights
      const mask = table.length / 2 - 1
      const key = wordOf(hash, 0)
      for (let slot = wordOf(hash, 4) & mask; table[2 * slot + 1] !== 0; slot = (slot + 1) & mask) {
        const height = before + (table[2 * slot + 1] as number)
        if (table[2 * slot] === key && isAt(height)) return height
      }
    }
    return undefined
  }

  /** Table with twice as many slots for the same blocks; hashes are read again, which keeps tables small. */
  private wider(table: Uint32Array, before: number, height: number): Uint32Array {
    const wider = new Uint32Array(2 * table.length)
    this.read(before + 1, height - 1, (hash, one) => place(wider, hash, one - before))
    return wider
  }
}

/** Insert a block into a table with free slots; `nth` counts from 1. */
function place(table: Uint32Array, hash: Uint8Array, nth: number): void {
  const mask = table.length / 2 - 1
  let slot = wordOf(hash, 4) & mask
  while (table[2 * slot + 1] !== 0) slot = (slot + 1) & mask
  table[2 * slot] = wordOf(hash, 0)
  table[2 * slot + 1] = nth
}

const wordOf = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)) >>>
  0
