/** Owns bounded maps and sets that evict the oldest entry. */

/** Map of at most `max` entries, at least one; a further entry evicts the oldest. */
export class BoundedMap<K, V> extends Map<K, V> {
  constructor(private readonly max: number) {
    super()
  }

  /** Set an entry. An existing key keeps its position in the order. */
  override set(key: K, value: V): this {
    super.set(key, value)
    if (this.size > this.max) dropOldest(this)
    return this
  }

  /** Set an entry as the newest, even if its key exists. */
  renew(key: K, value: V): void {
    this.delete(key)
    this.set(key, value)
  }
}

/** Set of at most `max` values, at least one; a further value evicts the oldest. */
export class BoundedSet<T> extends Set<T> {
  constructor(private readonly max: number) {
    super()
  }

  /** Add a value. An existing key keeps its position in the order. */
  override add(value: T): this {
    super.add(value)
    if (this.size > this.max) dropOldest(this)
    return this
  }
}

function dropOldest<K>(entries: { keys(): Iterator<K>; delete(key: K): boolean }): void {
  const oldest = entries.keys().next()
  if (oldest.done !== true) entries.delete(oldest.value)
}
