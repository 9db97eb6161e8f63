/** Owns reads shared by all frozen views of the store: entries of the read indexes, and the node's bookkeeping. */
import type { StateView } from './backend.js'
import { metaDbKey, prefixedDbKey, SPACE } from './key-space.js'
import { type IndexRange, indexEntriesOf } from './ranges.js'

/** Immutable view of the store. The caller closes it before the underlying store. */
export class ViewReads {
  constructor(protected readonly view: StateView) {}

  /** Entry of the read indexes. */
  indexGet(key: Uint8Array): Buffer | undefined {
    return this.view.getSync(prefixedDbKey(SPACE.index, key))
  }

  /** Entries of the read indexes in byte order. */
  indexRange(range: IndexRange): AsyncIterable<readonly [Buffer, Buffer]> {
    return indexEntriesOf(this.view, range)
  }

  /** Named value of the node's own bookkeeping. */
  meta(name: string): Buffer | undefined {
    return this.view.getSync(metaDbKey(name))
  }

  close(): Promise<void> {
    return this.view.close()
  }
}
