/**
 * Owns the pending notifications: the newest notice for each device and the number of merged ones, sent at the rate of
 * the device and of the node.
 */
import { BoundedMap } from '../../../base/bounded.js'
import { DAY_MS, PACES_MAX, PAUSE_MS, PER_DAY_MAX, PER_STEP_MAX, RETRIES_MS, RETRY_AFTER_MAX_MS } from './limits.js'
import type { Notice } from './messages.js'
import type { Sent } from './sender.js'

interface Waiting {
  notice: Notice
  more: number
  /** Number of failed attempts for this notice. */
  failures: number
  /** Due time, monotonic ms. */
  atMs: number
}

/** Rate record of a device. */
interface Pace {
  lastMs: number
  dayMs: number
  inDay: number
}

export interface QueueParts {
  /** Send to a device by its id; undefined if the device no longer exists. */
  readonly send: (id: string, notice: Notice, more: number) => Promise<Sent | undefined>
  /** Monotonic clock, ms. */
  readonly monotonicMs: () => number
  readonly onError: (error: unknown) => void
}

export class NoticeQueue {
  private readonly waiting = new Map<string, Waiting>()
  private readonly paces = new BoundedMap<string, Pace>(PACES_MAX)
  /** Devices with a running send. */
  private readonly busy = new Set<string>()

  constructor(private readonly parts: QueueParts) {}

  get size(): number {
    return this.waiting.size
  }

  /** Queue a notice for a device; a notice that already waits is merged with it. */
  add(id: string, notice: Notice): void {
    const before = this.waiting.get(id)
    if (before === undefined) this.waiting.set(id, { notice, more: 0, failures: 0, atMs: 0 })
    else Object.assign(before, { notice, more: before.more + 1 })
  }

  /** Drop the pending notice of a device. Its rate record stays, since the device may be registered again at once. */
  remove(id: string): void {
    this.waiting.delete(id)
  }

  /** Charge a notice to a device; false if it is over its limit. */
  take(id: string): boolean {
    const nowMs = this.parts.monotonicMs()
    const pace = this.paces.get(id) ?? { lastMs: Number.NEGATIVE_INFINITY, dayMs: nowMs, inDay: 0 }
    if (nowMs - pace.dayMs >= DAY_MS) Object.assign(pace, { dayMs: nowMs, inDay: 0 })
    if (nowMs - pace.lastMs < PAUSE_MS || pace.inDay >= PER_DAY_MAX) return false
    Object.assign(pace, { lastMs: nowMs, inDay: pace.inDay + 1 })
    // Moved to the end, so that the least recently used is evicted first.
    this.paces.renew(id, pace)
    return true
  }

  /** Send to some due devices. */
  step(): void {
    const nowMs = this.parts.monotonicMs()
    let left = PER_STEP_MAX
    for (const [id, waiting] of this.waiting) {
      if (left === 0) return
      if (waiting.atMs > nowMs || this.busy.has(id) || !this.take(id)) continue
      left -= 1
      this.waiting.delete(id)
      this.busy.add(id)
      this.send(id, waiting)
        .catch(this.parts.onError)
        .finally(() => this.busy.delete(id))
    }
  }

  private async send(id: string, { notice, more, failures }: Waiting): Promise<void> {
    const sent = await this.parts.send(id, notice, more)
    if (sent?.result !== 'failed') return
    const pauseMs = RETRIES_MS[failures]
    // Notices are hints: it is dropped, and a later one will follow.
    if (pauseMs === undefined) return
    const atMs = this.parts.monotonicMs() + Math.min(RETRY_AFTER_MAX_MS, Math.max(pauseMs, sent.retryAfterMs ?? 0))
    const newer = this.waiting.get(id)
    if (newer === undefined) this.waiting.set(id, { notice, more, failures: failures + 1, atMs })
    else Object.assign(newer, { more: newer.more + more + 1, failures: failures + 1, atMs })
  }
}
