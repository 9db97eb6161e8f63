/**
 * Owns the deliveries of one webhook, whose queue is its cursor: events are read from the blocks of the node and sent
 * in order, several at a time, and the cursor advances over completed ones. After a fault they are sent one by one, the
 * oldest first.
 */
import { Mutex } from '../../../base/mutex.js'
import '../schema.js'
import { LedgerError } from '../../../model/index.js'
import type { Outbound } from '../../../network/outbound/outbound.js'
import { ATTEMPTS_MAX, DEAD_LETTERS_MAX, type DeadLetter, type WebhookAttempt } from '../schema.js'
import { type Attempted, attempt, GONE } from './delivery.js'
import {
  FAILED_WAIT_MAX_MS,
  FAILED_WAIT_MS,
  FAILING_MAX_MS,
  IDLE_BLOCKS,
  REFUSED_WAITS_MS,
  RETRY_AFTER_MAX_MS,
  SLEEP_MAX_MS,
  STORE_WAIT_MS,
  WAIT_SPREAD,
  WINDOW,
} from './limits.js'
import type { Message } from './message.js'
import type { HookRecord, HookRecords, Progress } from './records.js'
import type { EventSource, Sendable } from './source.js'

/** Dependencies of a runner. */
export interface RunnerParts {
  readonly records: HookRecords
  readonly outbound: Outbound
  readonly source: EventSource
  /** True while its owner is an operator of the node. */
  readonly isOperators: () => boolean
  /** Current secrets that sign deliveries. */
  readonly secrets: () => readonly Uint8Array[]
  /** Wall clock, for stored and displayed times. */
  readonly wallMs: () => number
  /** Monotonic clock, for delays. */
  readonly monotonicMs: () => number
  /** Random numbers in [0, 1), for jitter. */
  readonly random: () => number
  /** Called after every attempt; `dead`: the event became a dead letter. */
  readonly onAttempt: (result: Attempted['result'] | 'dead') => void
  readonly onError: (error: unknown) => void
}

/** Reason shown for a webhook that a caller paused. */
const PAUSED = 'paused'

/** Event being delivered. */
interface Delivery extends Sendable {
  state: 'waiting' | 'sending' | 'done'
  /** Number of refusals by the endpoint, and time of the next attempt. */
  refusals: number
  notBeforeMs: number
}

export class HookRunner {
  /** Events beyond the cursor, oldest first. */
  private readonly queue: Delivery[] = []
  private readonly attempted: WebhookAttempt[] = []
  /** Dead letters that are not stored yet. */
  private refused: DeadLetter[] = []
  /**
   * Consecutive failures of the endpoint. Times of this object are monotonic; times of its records are wall clock
   * times.
   */
  private failures = 0
  /** Time of the last failure, and end of the current delay. */
  private faultAtMs = Number.NEGATIVE_INFINITY
  private pausedUntilMs = 0
  /** Start of the current failures; a stored start is converted to monotonic time when the runner starts. */
  private failingSinceMs: number | undefined
  /** True while events are delivered one at a time: from a fault until an attempt that began after it succeeds. */
  private careful = false
  private storedHeight: number
  private isAsked = false
  private stopped = false
  private removed = false
  /** Pending writes of changes. */
  private readonly changes = new Mutex()
  private running: Promise<void> | undefined
  private again = false
  private timer: NodeJS.Timeout | undefined
  private readonly sending = new Set<Promise<void>>()

  constructor(
    private readonly parts: RunnerParts,
    private record: HookRecord,
    private progress: Progress,
    private dead: readonly DeadLetter[],
  ) {
    this.storedHeight = progress.cursor.height
    const { failingSinceMs: since } = record
    const { wallMs, monotonicMs } = parts
    if (since !== undefined) this.failingSinceMs = monotonicMs() - Math.max(0, wallMs() - since)
  }

  /** Current progress. */
  get at(): Progress {
    return this.progress
  }
  /** Stored record. */
  get hook(): HookRecord {
    return this.record
  }
  /** Dead letters, oldest first. */
  get deadLetters(): readonly DeadLetter[] {
    return this.dead
  }
  /** Last attempts, newest first. */
  get attempts(): readonly WebhookAttempt[] {
    return this.attempted.toReversed()
  }

  /** Continue after a committed block or another relevant change. */
  wake(): void {
    if (this.stopped) return
    if (this.running !== undefined) {
      this.again = true
      return
    }
    this.running = this.run().finally(() => {
      this.running = undefined
      if (this.again) {
        this.again = false
        this.wake()
      }
    })
  }

  /** Stop after the running attempts, and store the cursor. */
  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    await this.running
    await Promise.all(this.sending)
    try {
      await this.advance()
      await this.save()
    } catch (error) {
      this.parts.onError(error)
    }
  }

  /** End permanently and remove all data of the webhook. */
  async remove(): Promise<void> {
    this.removed = true
    await this.stop()
    await this.changes.idle
    await this.parts.records.remove(this.record.id, this.dead)
  }

  /**
   * Change the stored record of the webhook; changes are serialised. Durable when it resolves. Rejects with `not_found`
   * after the webhook was removed.
   */
  change(fieldsOf: (record: HookRecord) => Partial<HookRecord>): Promise<void> {
    return this.changes.run(async () => {
      const { id } = this.record
      if (this.removed) throw new LedgerError('not_found', `webhook ${id} was removed`)
      const record = { ...this.record, ...fieldsOf(this.record) }
      await this.parts.records.put(record)
      this.record = record
    })
  }

  /** True while events are sent. */
  private get isActive(): boolean {
    return !this.stopped && this.record.enabled
  }

  private async run(): Promise<void> {
    try {
      await this.advance()
      await this.fill()
      this.send()
    } catch (error) {
      this.parts.onError(error)
      this.wakeAt(this.parts.monotonicMs() + STORE_WAIT_MS)
    }
  }

  /** Read events from the blocks to fill the window. */
  private async fill(): Promise<void> {
    const { source } = this.parts
    // A chain may have years of blocks without a matching event: ending or pausing must not wait for them.
    while (this.isActive && this.queue.length < WINDOW) {
      const next = source.take()
      if (next !== undefined) this.queue.push({ ...next, state: 'waiting', refusals: 0, notBeforeMs: 0 })
      else {
        // Nothing in progress: all blocks so far are done.
        if (this.queue.length === 0) await this.pass(source.position)
        if (!(await source.read())) return
      }
    }
  }

  /** Advance the cursor over blocks without a matching event, and store it periodically. */
  private async pass(cursor: Progress['cursor']): Promise<void> {
    this.progress = { ...this.progress, cursor }
    if (cursor.height - this.storedHeight >= IDLE_BLOCKS) await this.save()
  }

  /** Send the events that are due. */
  private send(): void {
    if (!this.isActive) return
    const nowMs = this.parts.monotonicMs()
    if (nowMs < this.pausedUntilMs) return this.wakeAt(this.pausedUntilMs)
    let free = (this.careful ? 1 : WINDOW) - this.sending.size
    for (const delivery of this.queue) {
      if (free <= 0) return
      if (delivery.state !== 'waiting') continue
      if (nowMs < delivery.notBeforeMs) return this.wakeAt(delivery.notBeforeMs)
      free -= 1
      delivery.state = 'sending'
      const sent: Promise<void> = this.attempt(delivery).finally(() => {
        this.sending.delete(sent)
        this.wake()
      })
      this.sending.add(sent)
    }
  }

  private async attempt(delivery: Delivery): Promise<void> {
    const startedMs = this.parts.monotonicMs()
    const attempted = await this.once(delivery.message)
    delivery.state = 'waiting'
    try {
      if (attempted.result === 'delivered') await this.onDelivered(delivery, startedMs)
      else if (attempted.status === GONE) await this.disable('the endpoint responded 410: it is gone')
      else if (attempted.result === 'refused') await this.onRefused(delivery, attempted)
      else await this.onFailed(attempted)
    } catch (error) {
      if (this.removed) return
      this.parts.onError(error)
      // Not stored; it only avoids an immediate retry against the endpoint's request.
      this.pausedUntilMs = Math.max(this.pausedUntilMs, this.parts.monotonicMs() + STORE_WAIT_MS)
    }
  }

  private async onDelivered(delivery: Delivery, startedMs: number): Promise<void> {
    delivery.state = 'done'
    this.progress = { ...this.progress, delivered: this.progress.delivered + 1 }
    if (startedMs >= this.faultAtMs) this.careful = false
    if (this.failures === 0 && this.record.failingSinceMs === undefined) return
    this.clearFailures()
    if (this.record.failingSinceMs !== undefined)
      await this.change(() => ({ failingSinceMs: undefined, reason: undefined }))
  }

  /** Handle a refused event: it is retried twice, then becomes a dead letter. */
  private async onRefused(delivery: Delivery, { status }: Attempted): Promise<void> {
    const nowMs = this.parts.monotonicMs()
    this.careful = true
    this.faultAtMs = nowMs
    const wait = REFUSED_WAITS_MS[delivery.refusals]
    delivery.refusals += 1
    if (wait !== undefined) {
      delivery.notBeforeMs = nowMs + wait
      return
    }
    const { event, type } = delivery.message
    const letter = { event, type, attempts: delivery.refusals, status, atMs: this.parts.wallMs() }
    this.refused.push(letter)
    this.dead = [...this.dead, letter]
    delivery.state = 'done'
    this.parts.onAttempt('dead')
    if (this.dead.length >= DEAD_LETTERS_MAX) await this.disable(`the endpoint refused ${DEAD_LETTERS_MAX} events`)
  }

  /** Handle an unavailable endpoint: no event is skipped. */
  private async onFailed({ reason, retryAfterMs = 0 }: Attempted): Promise<void> {
    const nowMs = this.parts.monotonicMs()
    // Concurrent attempts that fail together count as one failure.
    const isNew = nowMs >= this.pausedUntilMs
    this.careful = true
    this.faultAtMs = nowMs
    this.failingSinceMs ??= nowMs
    if (nowMs - this.failingSinceMs >= FAILING_MAX_MS) {
      return this.disable(`the endpoint failed for five days: ${reason}`)
    }
    if (isNew) {
      const wait = Math.min(FAILED_WAIT_MS * 2 ** this.failures, FAILED_WAIT_MAX_MS)
      const spread = wait * (1 + WAIT_SPREAD * (2 * this.parts.random() - 1))
      this.failures += 1
      this.pausedUntilMs = nowMs + Math.max(spread, Math.min(retryAfterMs, RETRY_AFTER_MAX_MS))
    }
    if (this.record.failingSinceMs !== undefined) return
    const failingSinceMs = this.parts.wallMs()
    await this.change(() => ({ failingSinceMs, reason }))
  }

  private clearFailures(): void {
    this.failures = 0
    this.pausedUntilMs = 0
    this.failingSinceMs = undefined
  }

  /** Stop sending until the webhook is enabled again. */
  private disable(reason: string): Promise<void> {
    return this.change(() => ({ enabled: false, reason, failingSinceMs: undefined }))
  }

  /** Send a dead letter again; it is removed when the endpoint accepts it. */
  async redeliver(letter: DeadLetter, message: Message): Promise<Attempted> {
    const attempted = await this.asked(message)
    if (attempted.result === 'delivered') await this.removeLetter(letter)
    return attempted
  }

  /**
   * One attempt on request. Rejects with `rate_limited` while another attempt is running, since attempts would
   * accumulate at an endpoint that hangs.
   */
  async asked(message: Message): Promise<Attempted> {
    if (this.isAsked) throw new LedgerError('rate_limited', 'a requested attempt is still in progress')
    this.isAsked = true
    try {
      return await this.once(message)
    } finally {
      this.isAsked = false
    }
  }

  /** Remove a dead letter. */
  async removeLetter(letter: DeadLetter): Promise<void> {
    await this.parts.records.removeLetter(this.record.id, letter)
    this.dead = this.dead.filter((one) => one !== letter)
    this.refused = this.refused.filter((one) => one !== letter)
  }

  /** One attempt outside the regular deliveries. */
  private async once(message: Message): Promise<Attempted> {
    const { outbound, isOperators, secrets, wallMs, monotonicMs, onAttempt } = this.parts
    const { id, url } = this.record
    const owner = { id: this.record.owner, isOperator: isOperators() }
    const startedMs = wallMs()
    const attempted = await attempt(outbound, { id, owner, url, secrets: secrets() }, message, { wallMs, monotonicMs })
    this.recordAttempt(message, attempted, startedMs)
    onAttempt(attempted.result)
    return attempted
  }

  /** Stop sending; the cursor stays. */
  pause(): Promise<void> {
    return this.disable(PAUSED)
  }

  /** Continue from the cursor. Rejects with `webhook_dead_letters` while there are too many refused events. */
  async enable(): Promise<void> {
    if (this.dead.length >= DEAD_LETTERS_MAX) {
      throw new LedgerError('webhook_dead_letters', `the webhook has ${this.dead.length} dead events`)
    }
    this.clearFailures()
    await this.change(() => ({ enabled: true, reason: undefined, failingSinceMs: undefined }))
    this.wake()
  }

  /** Advance the cursor past completed events, and store it. */
  private async advance(): Promise<void> {
    let done = 0
    while (this.queue[done]?.state === 'done') done += 1
    if (done === 0) return
    const last = this.queue[done - 1] as Delivery
    this.queue.splice(0, done)
    this.progress = { ...this.progress, cursor: last.next }
    await this.save()
  }

  private async save(): Promise<void> {
    const { progress } = this
    const refused = [...this.refused]
    await this.parts.records.move(this.record.id, progress, refused)
    this.refused = this.refused.filter((one) => !refused.includes(one))
    this.storedHeight = progress.cursor.height
  }

  private recordAttempt({ event }: Message, { result, status, reason, durationMs }: Attempted, atMs: number): void {
    this.attempted.push({ event, atMs, durationMs, result, status, reason })
    if (this.attempted.length > ATTEMPTS_MAX) this.attempted.shift()
  }

  private wakeAt(atMs: number): void {
    clearTimeout(this.timer)
    const waitMs = Math.min(Math.max(0, atMs - this.parts.monotonicMs()), SLEEP_MAX_MS)
    this.timer = setTimeout(() => this.wake(), waitMs)
    this.timer.unref()
  }
}
