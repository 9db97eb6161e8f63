/**
 * Owns natural batching: items that arrive while a batch is in progress form the next one, so that load increases the
 * batch size, not the delay.
 */

interface Waiting<T, R> {
  readonly item: T
  readonly resolve: (result: R) => void
  readonly reject: (error: unknown) => void
}

export interface BatcherOptions<T, R> {
  /** Maximum size of one batch; it has at least one item. */
  readonly sizeMax: number
  /** Size of an item; each is 1 when absent. */
  readonly sizeOf?: (item: T) => number
  /** Time for which the first item of a batch waits for others, in ms. */
  readonly waitMs: number
  /** Wait under load, in ms: as long as the last batch took, at most this; read for each batch. */
  readonly busyWaitMs: () => number
  /** Process a batch; one result per item, in order. */
  readonly run: (items: readonly T[]) => Promise<readonly R[]>
}

/** Items that wait, in order, with their size. */
class BatchQueue<T, R> {
  private items: Waiting<T, R>[] = []
  size = 0

  constructor(private readonly sizeOf: (item: T) => number) {}

  get length(): number {
    return this.items.length
  }

  push(one: Waiting<T, R>): void {
    this.items.push(one)
    this.size += this.sizeOf(one.item)
  }

  /** Remove and return the leading items that fit; if `isFirst`, at least one whatever its size. */
  take(room: number, isFirst: boolean): Waiting<T, R>[] {
    let count = 0
    let size = 0
    for (const { item } of this.items) {
      const after = size + this.sizeOf(item)
      if (after > room && !(isFirst && count === 0)) break
      size = after
      count += 1
    }
    this.size -= size
    return this.items.splice(0, count)
  }
}

export class Batcher<T, R> {
  private readonly first: BatchQueue<T, R>
  private readonly others: BatchQueue<T, R>
  private timer: NodeJS.Timeout | undefined
  private running = false
  private lastSize = 0
  private lastMs = 0

  constructor(private readonly options: BatcherOptions<T, R>) {
    const sizeOf = options.sizeOf ?? (() => 1)
    this.first = new BatchQueue(sizeOf)
    this.others = new BatchQueue(sizeOf)
  }

  /** Number of waiting items without priority. */
  get size(): number {
    return this.others.length
  }

  /**
   * Add an item; resolves with its result, rejects if its batch fails. An item with priority waits only for others with
   * priority; if both kinds wait, half of a batch is left for the others.
   */
  add(item: T, goesFirst = false): Promise<R> {
    return new Promise((resolve, reject) => {
      const lane = goesFirst ? this.first : this.others
      lane.push({ item, resolve, reject })
      this.schedule()
    })
  }

  private schedule(): void {
    if (this.running || this.first.length + this.others.length === 0) return
    if (this.first.size + this.others.size >= this.options.sizeMax) return this.start()
    const { waitMs, busyWaitMs } = this.options
    const delayMs = this.lastSize > 1 ? Math.max(waitMs, Math.min(this.lastMs, busyWaitMs())) : waitMs
    this.timer ??= setTimeout(() => this.start(), delayMs)
  }

  /** Remove and return the next batch. */
  private next(): Waiting<T, R>[] {
    const { sizeMax } = this.options
    const left = Math.min(this.others.size, sizeMax >>> 1)
    const firstSize = this.first.size
    const batch = this.first.take(sizeMax - left, true)
    const room = sizeMax - (firstSize - this.first.size)
    return batch.concat(this.others.take(room, batch.length === 0))
  }

  private start(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.running = true
    const batch = this.next()
    this.lastSize = batch.length
    const startedMs = performance.now()
    this.options.run(batch.map((one) => one.item)).then(
      (results) => {
        this.running = false
        this.lastMs = performance.now() - startedMs
        for (const [index, one] of batch.entries()) one.resolve(results[index] as R)
        this.schedule()
      },
      (error: unknown) => {
        this.running = false
        for (const one of batch) one.reject(error)
        this.schedule()
      },
    )
  }
}
