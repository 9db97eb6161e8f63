/** Owns splitting of lists into pieces that fit a message. */

/** Limits of one batch. */
export interface BatchBounds {
  readonly items: number
  readonly bytes: number
}

/** Split items in order into batches within the bounds; an oversized item is a batch of its own. */
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
