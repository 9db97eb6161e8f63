/** Owns lists in pieces that a message holds. */

/** What one piece holds at most. */
export interface BatchBounds {
  readonly items: number
  readonly bytes: number
}

/** Items in order, as many together as the bounds allow; a longer one stands alone. */
export function* batchesOf<T>(
  items: readonly T[],
  bytesOf: (item: T) => number,
  bounds: BatchBounds,
): Generator<readonly T[]> {
  let batch: T[] = []
  let size = 0
  for (const item of items) {
    const bytes = bytesOf(item)
    if (batch.length === bounds.items || (batch.length > 0 && size + bytes > bounds.bytes)) {
      yield batch
      batch = []
      size = 0
    }
    batch.push(item)
    size += bytes
  }
  if (batch.length > 0) yield batch
}
