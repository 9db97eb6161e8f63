/** Owns the reads that every frozen view of the store has: entries of the read indexes, and the bookkeeping of the node. */
import type { StateView } from './backend.js'
import { metaDbKey, prefixedDbKey, SPACE } from './key-space.js'
import { type IndexRange, indexEntriesOf } from './ranges.js'

/** Immutable view of the store. The caller closes it, before the store behind it. */
export class ViewReads {
  constructor(protected readonly view: StateView) {}

  /** One entry of the read indexes. */
  indexGet(key: Uint8Array): Buffer | undefined {
    return this.view.getSync(prefixedDbKey(SPACE.index, key))
  }

  /** Entries of the read indexes in byte order. */
  indexRange(range: IndexRange): AsyncIterable<readonly [Buffer, Buffer]> {
    return indexEntriesOf(this.view, range)
  }

  /** A named value of the node's own bookkeeping. */
  meta(name: string): Buffer | undefined {
    return this.view.getSync(metaDbKey(name))
  }

  close(): Promise<void> {
    return this.view.close()
  }
}
