/** Owns the watching of gateways, which only runs while a client reads the measurements. */
import { inTime } from '../../../base/sleep.js'
import { FIRST_ANSWERS_MS, WATCHED_AFTER_READ_MS } from './limits.js'
import type { WatchedGateway } from './watched-gateway.js'

type Watched = Pick<WatchedGateway, 'start' | 'stop' | 'answered'>

export class Watch {
  private open = false
  private readonly readers = new Set<symbol>()
  private lastReadMs = 0
  private timer: NodeJS.Timeout | undefined
  private stopping: Promise<unknown> = Promise.resolve()
  /** First responses since watching began; awaited only once, because a gateway may never respond. */
  private first: Promise<void> = Promise.resolve()
  private isOn = false

  /** @param monotonicMs monotonic clock, ms */
  constructor(
    private readonly gateways: readonly Watched[],
    private readonly monotonicMs: () => number,
  ) {}

  get on(): boolean {
    return this.isOn
  }

  /** Begin to measure on reads. */
  resume(): void {
    this.open = true
    if (this.readers.size > 0) this.start()
  }

  /** Record a read, and keep watching for some time. */
  read(): void {
    this.lastReadMs = this.monotonicMs()
    this.start()
    this.endLater()
  }

  /**
   * Like `read`, for a caller that waits: resolves when each gateway has responded or failed once, at most a second
   * after watching began.
   */
  async readAnswered(): Promise<void> {
    this.read()
    if (this.isOn) await this.first
  }

  /** Watch until the returned function is called. */
  hold(): () => void {
    const reader = Symbol('reader')
    this.readers.add(reader)
    this.start()
    return () => {
      if (!this.readers.delete(reader)) return
      this.lastReadMs = this.monotonicMs()
      this.endLater()
    }
  }

  async close(): Promise<void> {
    this.open = false
    this.end()
    await this.stopping
  }

  private start(): void {
    if (this.isOn || !this.open || this.gateways.length === 0) return
    this.isOn = true
    // They start once the previous watching has stopped.
    const answers = this.stopping.then(() => {
      if (!this.isOn) return undefined
      for (const gateway of this.gateways) gateway.start()
      return Promise.all(this.gateways.map((gateway) => gateway.answered()))
    })
    this.first = inTime(answers, FIRST_ANSWERS_MS)
  }

  private endLater(): void {
    if (!this.isOn || this.timer !== undefined) return
    const leftMs = this.lastReadMs + WATCHED_AFTER_READ_MS - this.monotonicMs()
    this.timer = setTimeout(
      () => {
        this.timer = undefined
        if (this.readers.size > 0) return
        if (this.monotonicMs() - this.lastReadMs < WATCHED_AFTER_READ_MS) this.endLater()
        else this.end()
      },
      Math.max(0, leftMs),
    ).unref()
  }

  private end(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    if (!this.isOn) return
    this.isOn = false
    this.stopping = this.stopping.then(() => Promise.all(this.gateways.map((gateway) => gateway.stop())))
  }
}
