/** Owns the order in which a thread serves requests: one in each turn of its event loop, the most urgent class first. */
import { performance } from 'node:perf_hooks'

/** Scheduling of the requests of a class. */
export interface TurnClass {
  /** Requests of the class that may be under way at a time. */
  readonly atOnce: number
  /** Most of the thread's time that the class may use, above 0 and at most 1; absent: all of it. */
  readonly share?: number
}

/** Busy and idle time of a thread. */
export interface ThreadTime {
  /** Milliseconds since some time in this thread; never falls. */
  readonly monotonicMs: () => number
  /** Milliseconds of them in which the event loop was not idle. */
  readonly busyMs: () => number
}

export const THREAD_TIME: ThreadTime = {
  monotonicMs: () => performance.now(),
  busyMs: () => performance.eventLoopUtilization().active,
}

/** Time that a class with a share may use at once after a pause, in ms: about the reads of one page of a browser. */
export const TURN_BURST_MS = 200

/** A request that waits: does it and answers its caller; never throws, and resolves when it ended. */
type Waiting = () => Promise<void>

/** Requests of one class, and the time that they used. */
class Line {
  readonly waiting: Waiting[] = []
  underWay = 0
  /** With a share: when all time that was used is paid for by time that passed. */
  private paidAtMs = Number.NEGATIVE_INFINITY
  /** Busy time of the thread up to which the class was charged, less that of others. */
  private chargedMs = 0

  constructor(private readonly rules: TurnClass) {}

  get hasShare(): boolean {
    return this.rules.share !== undefined
  }

  /** Milliseconds until the next request may begin; 0: now; undefined: none waits, or as many as may be are under way. */
  pauseMs(nowMs: number): number | undefined {
    const { atOnce, share } = this.rules
    if (this.waiting.length === 0 || this.underWay >= atOnce) return undefined
    return share === undefined ? 0 : Math.max(0, this.paidAtMs - TURN_BURST_MS / share - nowMs)
  }

  /** Counts a request that begins. */
  enter(ownMs: number): void {
    if (this.underWay === 0) this.chargedMs = ownMs
    this.underWay += 1
  }

  /** Charges the time that passed under requests of the class. */
  leave(ownMs: number, nowMs: number): void {
    this.underWay -= 1
    const { share } = this.rules
    if (share === undefined) return
    this.paidAtMs = Math.max(this.paidAtMs, nowMs) + Math.max(0, ownMs - this.chargedMs) / share
    this.chargedMs = ownMs
  }
}

/**
 * Serves requests of several classes on one thread. Between two requests the event loop has a turn, so that answers of disks and
 * other threads arrive however many requests wait. A request that waits is not begun while one of a more urgent class can be. A
 * class with a share pauses once its requests have used more than that part of the time.
 */
export class Turns<C extends string> {
  /** The most urgent first. */
  private readonly lines: readonly (readonly [C, Line])[]
  private isScheduled = false
  private timer: NodeJS.Timeout | undefined
  /** Time used by the synchronous part of requests without a share: not charged to the others. */
  private othersMs = 0

  constructor(
    classes: Readonly<Record<C, TurnClass>>,
    private readonly time: ThreadTime = THREAD_TIME,
  ) {
    this.lines = (Object.keys(classes) as C[]).map((name) => [name, new Line(classes[name])])
  }

  /** Requests that were not begun. */
  get waiting(): number {
    return this.lines.reduce((sum, [, line]) => sum + line.waiting.length, 0)
  }

  /** Does work in a turn of its class; gives its result, or rejects with what it throws. */
  take<T>(name: C, work: () => T | Promise<T>): Promise<T> {
    const line = this.lineOf(name)
    const done = new Promise<T>((resolve, reject) => {
      line.waiting.push(async () => {
        try {
          resolve(await work())
        } catch (error) {
          reject(error)
        }
      })
    })
    this.schedule()
    return done
  }

  private lineOf(name: C): Line {
    const found = this.lines.find(([own]) => own === name)
    if (found === undefined) throw new Error(`unknown class of requests ${name}`)
    return found[1]
  }

  private schedule(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    setImmediate(this.turn)
  }

  /** Begins one request, if any may begin. */
  private readonly turn = (): void => {
    this.isScheduled = false
    clearTimeout(this.timer)
    const nowMs = this.time.monotonicMs()
    const pauses = this.lines.map(([, line]) => line.pauseMs(nowMs))
    const place = pauses.indexOf(0)
    const next = this.lines[place]?.[1]
    if (next !== undefined) {
      this.begin(next)
      if (this.waiting > 0) this.schedule()
      return
    }
    const pause = Math.min(...pauses.map((ms) => ms ?? Number.POSITIVE_INFINITY))
    if (Number.isFinite(pause)) this.timer = setTimeout(this.turn, pause)
  }

  private begin(line: Line): void {
    const request = line.waiting.shift()
    if (request === undefined) return
    const { time } = this
    const beforeMs = time.busyMs()
    line.enter(beforeMs - this.othersMs)
    const ended = request()
    if (!line.hasShare) this.othersMs += time.busyMs() - beforeMs
    void ended.then(() => {
      line.leave(time.busyMs() - this.othersMs, time.monotonicMs())
      if (this.waiting > 0) this.schedule()
    })
  }
}
