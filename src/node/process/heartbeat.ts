/**
 * Owns the housekeeping timer of a node: one beat about every second, with jitter so that nodes do not gossip in step.
 */

/** Interval of housekeeping, in ms. */
const HEARTBEAT_MS = 1_000
/** Share of the interval that is random. */
const HEARTBEAT_JITTER = 0.2

export class Heartbeat {
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly beat: () => void) {}

  get isRunning(): boolean {
    return this.timer !== undefined
  }

  start(): void {
    const delayMs = HEARTBEAT_MS * (1 + HEARTBEAT_JITTER * Math.random())
    this.timer = setTimeout(() => {
      this.beat()
      this.start()
    }, delayMs)
  }

  stop(): void {
    clearTimeout(this.timer)
    this.timer = undefined
  }
}
