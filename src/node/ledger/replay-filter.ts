/**
 * Owns the in-memory filter of the replay window: most new ids are recognised without a read, and a committed id is
 * never reported as new. It consists of Bloom filters over runs of heights, which are dropped as they expire.
 */

/**
 * Size of one filter, in bytes: 16 bits per id with three set bits, for a false positive rate of one in two hundred.
 */
const FILTER_BYTES = 256 * 1024
const FILTER_IDS = (FILTER_BYTES * 8) / 16
/**
 * Maximum filters, 4 MiB for two million ids; beyond it the oldest is dropped, and its heights are looked up by reads
 * until they have expired.
 */
const FILTERS_MAX = 16
const ID_BYTES = 32
/** Bytes of an id per bit position; ids are hashes, so any of their bytes are suitable. */
const PLACE_BYTES = 3
const PLACES = 3
const PLACE_MASK = FILTER_BYTES * 8 - 1

interface Filter {
  readonly bits: Uint8Array
  ids: number
  lastHeight: number
}

/** Bit position in a filter for the `which`-th part of an id. */
function placeOf(id: Uint8Array, from: number, which: number): number {
  const at = from + which * PLACE_BYTES
  return (id[at]! | (id[at + 1]! << 8) | (id[at + 2]! << 16)) & PLACE_MASK
}

/** Filter of the ids in the replay window; usable once every height was added. */
export class ReplayFilter {
  private readonly filters: Filter[] = []
  private isComplete = false
  /** Height up to which ids may be missing, because their filters were dropped. */
  private unknownTo = 0

  /** Size in bytes. */
  get bytes(): number {
    return this.filters.length * FILTER_BYTES
  }

  /** Mark every height of the window up to now as added. */
  complete(): void {
    this.isComplete = true
  }

  /** Add the ids of a block, concatenated; heights ascend. */
  add(height: number, ids: Uint8Array): void {
    for (let from = 0; from < ids.length; from += ID_BYTES) {
      const { bits } = this.filterFor(height)
      for (let which = 0; which < PLACES; which += 1) {
        const place = placeOf(ids, from, which)
        bits[place >>> 3]! |= 1 << (place & 7)
      }
    }
  }

  /** Remove the filters whose heights have all expired; `height`: last expired height. */
  expire(height: number): void {
    while (this.filters.length > 0 && this.filters[0]!.lastHeight <= height) this.filters.shift()
    if (this.unknownTo <= height) this.unknownTo = 0
  }

  /** False only for an id that is in no block of the window. */
  mayHold(id: Uint8Array): boolean {
    return !this.isComplete || this.unknownTo > 0 || this.filters.some(({ bits }) => isIn(bits, id))
  }

  /** Filter for the next id of a block at the height. */
  private filterFor(height: number): Filter {
    let last = this.filters[this.filters.length - 1]
    if (last === undefined || last.ids >= FILTER_IDS) {
      if (this.filters.length >= FILTERS_MAX) {
        const { lastHeight } = this.filters.shift()!
        this.unknownTo = Math.max(this.unknownTo, lastHeight)
      }
      last = { bits: new Uint8Array(FILTER_BYTES), ids: 0, lastHeight: height }
      this.filters.push(last)
    }
    last.ids += 1
    last.lastHeight = height
    return last
  }
}

function isIn(bits: Uint8Array, id: Uint8Array): boolean {
  for (let which = 0; which < PLACES; which += 1) {
    const place = placeOf(id, 0, which)
    if (((bits[place >>> 3]! >>> (place & 7)) & 1) === 0) return false
  }
  return true
}
