/** Owns the in-memory store: for the simulator and tests, which copy and discard it freely. */
import { binaryKey } from '../base/bytes.js'
import type { KeyRange, StateBackend, StateBatch, StateView } from './backend.js'

/** Ordered store in memory. */
export class MemoryBackend implements StateBackend {
  private entries: Map<string, Buffer>

  constructor() {
    this.entries = new Map()
  }

  getSync(key: Buffer): Buffer | undefined {
    const value = this.entries.get(binaryKey(key))
    return value === undefined ? undefined : Buffer.from(value)
  }

  batch(): StateBatch {
    const puts = new Map<string, Buffer | undefined>()
    return {
      put: (key, value) => puts.set(binaryKey(key), Buffer.from(value)),
      del: (key) => puts.set(binaryKey(key), undefined),
      write: async () => {
        for (const [key, value] of puts) {
          if (value === undefined) this.entries.delete(key)
          else this.entries.set(key, value)
        }
      },
    }
  }

  async *range(range: KeyRange): AsyncIterable<readonly [Buffer, Buffer]> {
    const from = binaryKey(range.gte)
    const to = range.lt === undefined ? undefined : binaryKey(range.lt)
    const found: [string, Buffer][] = []
    for (const [key, value] of this.entries) if (key >= from && (to === undefined || key < to)) found.push([key, value])
    found.sort(([left], [right]) => (left < right ? -1 : 1))
    if (range.reverse === true) found.reverse()
    for (const [key, value] of found.slice(0, range.limit)) yield [Buffer.from(key, 'latin1'), Buffer.from(value)]
  }

  frozen(): StateView {
    return this.clone()
  }

  /** Independent copy, such as the content of a disk at one moment. */
  clone(): MemoryBackend {
    const copy = new MemoryBackend()
    copy.entries = new Map(this.entries)
    return copy
  }

  async close(): Promise<void> {}
}
