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
  private waiting: Waiting<T, R>[] = []
  private timer: NodeJS.Timeout | undefined
  private running = false
  private lastSize = 0
  private lastMs = 0

  constructor(private readonly options: BatcherOptions<T, R>) {}

  /** Items that wait for their batch. */
  get size(): number {
    return this.waiting.length
  }

  /** Adds an item; resolves with its result, rejects when its batch failed. */
  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject })
      this.schedule()
    })
  }

  private schedule(): void {
    if (this.running || this.waiting.length === 0) return
    if (this.waiting.length >= this.options.itemsMax) return this.start()
    const { waitMs, busyWaitMs } = this.options
    const delayMs = this.lastSize > 1 ? Math.max(waitMs, Math.min(this.lastMs, busyWaitMs())) : waitMs
    this.timer ??= setTimeout(() => this.start(), delayMs)
  }

  private start(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.running = true
    const batch = this.waiting.slice(0, this.options.itemsMax)
    this.waiting = this.waiting.slice(this.options.itemsMax)
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
