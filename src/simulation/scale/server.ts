/** Owns one server with a queue: a thread, a disk or an uplink that processes one job after another. */
import type { VirtualClock } from '../clock.js'

/** One job: `begin` runs when it is scheduled and returns its duration in ms, `end` runs afterwards. */
export interface ServerJob {
  begin(): number
  end?(): void
}

/** First in, first out queue that does not move queued items. */
class Fifo {
  private items: (ServerJob | undefined)[] = []
  private first = 0

  push(job: ServerJob): void {
    this.items.push(job)
  }

  shift(): ServerJob | undefined {
    const job = this.items[this.first]
    if (job === undefined) return undefined
    this.items[this.first] = undefined
    this.first += 1
    if (this.first > 1_024 && 2 * this.first > this.items.length) {
      this.items = this.items.slice(this.first)
      this.first = 0
    }
    return job
  }
}

/**
 * Server that runs jobs by priority (0 first), and in the order of their arrival within one priority; a running job is
 * not interrupted.
 */
export class Server {
  /** Time spent on jobs so far, in virtual ms. */
  busyMs = 0
  private waiting = 0
  /** End of the job that began last. */
  private freeAtMs = 0
  /** True if the end of that job is scheduled on the clock; otherwise nothing happens at its end. */
  private isAwaited = false
  private readonly queues: readonly Fifo[]

  constructor(
    private readonly clock: VirtualClock,
    priorities = 1,
  ) {
    this.queues = Array.from({ length: priorities }, () => new Fifo())
  }

  submit(job: ServerJob, priority = 0): void {
    if (!this.isAwaited && this.clock.nowMs >= this.freeAtMs) return this.begin(job)
    this.queues[priority]?.push(job)
    this.waiting += 1
    if (!this.isAwaited) this.await(undefined)
  }

  /** Queue a job of known duration. */
  work(durationMs: number, end: () => void, priority = 0): void {
    this.submit({ begin: () => durationMs, end }, priority)
  }

  private begin(job: ServerJob): void {
    const durationMs = job.begin()
    this.busyMs += durationMs
    this.freeAtMs = this.clock.nowMs + durationMs
    if (job.end !== undefined || this.waiting > 0) this.await(job)
  }

  /** Schedule the end of the running job and the beginning of the next one. */
  private await(job: ServerJob | undefined): void {
    this.isAwaited = true
    this.clock.after(this.freeAtMs - this.clock.nowMs, () => {
      job?.end?.()
      this.isAwaited = false
      const next = this.next()
      if (next !== undefined) this.begin(next)
    })
  }

  private next(): ServerJob | undefined {
    if (this.waiting === 0) return undefined
    this.waiting -= 1
    for (const queue of this.queues) {
      const job = queue.shift()
      if (job !== undefined) return job
    }
    return undefined
  }
}
