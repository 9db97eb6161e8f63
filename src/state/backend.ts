/** Owns the interface to the ordered key-value store under the world state. */

/** Changes that become visible and durable together, or not at all. */
export interface StateBatch {
  /** Copies both. */
  put(key: Buffer, value: Buffer): void
  del(key: Buffer): void
  /** Applies the batch; afterwards it is spent. `sync`: it and all batches before it are on the disk when this resolves. */
  write(options?: { readonly sync: boolean }): Promise<void>
}

/** A half-open range of keys in byte order. */
export interface KeyRange {
  /** First key. */
  readonly gte: Buffer
  /** First key beyond the range; absent, the range runs to the end. */
  readonly lt?: Buffer
  /** From the last key to the first. */
  readonly reverse?: boolean
  /** At most this many entries. */
  readonly limit?: number
}

/** Read interface of an ordered store. */
export interface StateView {
  /** The value, or undefined. The buffer belongs to the caller. */
  getSync(key: Buffer): Buffer | undefined
  /** The entries of a range as they were when the iteration began. */
  range(range: KeyRange): AsyncIterable<readonly [Buffer, Buffer]>
  close(): Promise<void>
}

/** An ordered store of byte keys. One process owns it. */
export interface StateBackend extends StateView {
  batch(): StateBatch
  /** Snapshot of the store, unaffected by later writes; the caller must close it before the store. */
  frozen(): StateView
}
