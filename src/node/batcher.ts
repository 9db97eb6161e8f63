/** Owns natural batching: what arrives while a batch is under way makes the next one, so load makes batches larger, not slower. */

interface Waiting<T, R> {
  readonly item: T
  readonly resolve: (result: R) => void
  readonly reject: (error: unknown) => void
}

export interface BatcherOptions<T, R> {
  /** Items of one batch at most. */
  readonly itemsMax: number
  /** How long the first item of a batch waits for others, in ms. */
  readonly waitMs: number
  /** The same while items come in company: as long as the last batch took, at most this; asked for each batch. */
  readonly busyWaitMs: () => number
  /** Answers a batch, one result per item, in order. */
  readonly run: (items: readonly T[]) => Promise<readonly R[]>
}

export class Batcher<T, R> {
  private first: Waiting<T, R>[] = []
  private others: Waiting<T, R>[] = []
  private timer: NodeJS.Timeout | undefined
  private running = false
  private lastSize = 0
  private lastMs = 0

  constructor(private readonly options: BatcherOptions<T, R>) {}

  /** Items that wait for their batch, without those that go first. */
  get size(): number {
    return this.others.length
  }

  /**
   * Adds an item; resolves with its result, rejects when its batch failed. One that goes first waits for no other but its
   * like; where both wait, half a batch is left for the others.
   */
  add(item: T, goesFirst = false): Promise<R> {
    return new Promise((resolve, reject) => {
      const lane = goesFirst ? this.first : this.others
      lane.push({ item, resolve, reject })
      this.schedule()
    })
  }

  private schedule(): void {
    const waiting = this.first.length + this.others.length
    if (this.running || waiting === 0) return
    if (waiting >= this.options.itemsMax) return this.start()
    const { waitMs, busyWaitMs } = this.options
    const delayMs = this.lastSize > 1 ? Math.max(waitMs, Math.min(this.lastMs, busyWaitMs())) : waitMs
    this.timer ??= setTimeout(() => this.start(), delayMs)
  }

  /** The next batch, which waits no more. */
  private next(): Waiting<T, R>[] {
    const { itemsMax } = this.options
    const left = Math.min(this.others.length, itemsMax >>> 1)
    const batch = this.first.splice(0, itemsMax - left)
    return batch.concat(this.others.splice(0, itemsMax - batch.length))
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
