/** Owns the interface to the ordered key-value store under the world state. */

/** Changes that become visible and durable together. */
export interface StateBatch {
  /** Store a value; copies key and value. */
  put(key: Buffer, value: Buffer): void
  del(key: Buffer): void
  /** Apply the batch, which cannot be used afterwards. `sync`: resolves once it and all earlier batches are on disk. */
  write(options?: { readonly sync: boolean }): Promise<void>
}

/** Half-open range of keys in byte order. */
export interface KeyRange {
  /** First key. */
  readonly gte: Buffer
  /** First key beyond the range; absent: the range is unbounded. */
  readonly lt?: Buffer
  /** True to iterate from the last key to the first. */
  readonly reverse?: boolean
  /** Maximum number of entries. */
  readonly limit?: number
}

/** Read interface of an ordered store. */
export interface StateView {
  /** Value of a key, or undefined. The caller owns the buffer. */
  getSync(key: Buffer): Buffer | undefined
  /** Entries of a range at the time when the iteration began. */
  range(range: KeyRange): AsyncIterable<readonly [Buffer, Buffer]>
  close(): Promise<void>
}

/** Ordered store of byte keys, used by one process. */
export interface StateBackend extends StateView {
  batch(): StateBatch
  /** Snapshot of the store, unaffected by later writes; the caller must close it before the store. */
  frozen(): StateView
}
