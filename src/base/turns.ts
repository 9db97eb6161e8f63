/** Owns the order in which a thread serves requests: one per turn of its event loop, the most urgent class first. */
import { performance } from 'node:perf_hooks'

/** Scheduling of the requests of a class. */
export interface TurnClass {
  /** Maximum concurrent requests of the class. */
  readonly atOnce: number
  /** Maximum share of the thread's time for the class, above 0 and at most 1; absent: all of it. */
  readonly share?: number
}

/** Busy and idle time of a thread. */
export interface ThreadTime {
  /** Milliseconds since an arbitrary start in this thread; never decreases. */
  readonly monotonicMs: () => number
  /** Part of `monotonicMs` in which the event loop was busy. */
  readonly busyMs: () => number
}

export const THREAD_TIME: ThreadTime = {
  monotonicMs: () => performance.now(),
  busyMs: () => performance.eventLoopUtilization().active,
}

/**
 * Time that a class with a share may use at once after a pause, in ms: about the time of the reads for one browser
 * page.
 */
export const TURN_BURST_MS = 200

/**
 * Function that runs a waiting request and settles its promise; never throws, and resolves at the end of the request.
 */
type Waiting = () => Promise<void>

/** Requests of one class, and their used time. */
class Line {
  readonly waiting: Waiting[] = []
  underWay = 0
  /** Time at which the used time of a class with a share is paid off. */
  private paidAtMs = Number.NEGATIVE_INFINITY
  /** Busy time of the thread up to which the class was charged, without the time of other classes. */
  private chargedMs = 0

  constructor(private readonly rules: TurnClass) {}

  get hasShare(): boolean {
    return this.rules.share !== undefined
  }

  /**
   * Milliseconds until the next request may begin; 0: now; undefined if none waits or the concurrency limit is reached.
   */
  pauseMs(nowMs: number): number | undefined {
    const { atOnce, share } = this.rules
    if (this.waiting.length === 0 || this.underWay >= atOnce) return undefined
    return share === undefined ? 0 : Math.max(0, this.paidAtMs - TURN_BURST_MS / share - nowMs)
  }

  /** Count a request that begins. */
  enter(ownMs: number): void {
    if (this.underWay === 0) this.chargedMs = ownMs
    this.underWay += 1
  }

  /** Charge the time that passed during requests of the class. */
  leave(ownMs: number, nowMs: number): void {
    this.underWay -= 1
    const { share } = this.rules
    if (share === undefined) return
    this.paidAtMs = Math.max(this.paidAtMs, nowMs) + Math.max(0, ownMs - this.chargedMs) / share
    this.chargedMs = ownMs
  }
}

/**
 * Scheduler of requests of several classes on one thread. Between two requests the event loop has a turn, so that
 * results of disks and other threads arrive regardless of the number of waiting requests. A request does not begin
 * while a request of a more urgent class can begin. A class with a share pauses once its requests have used more than
 * that part of the time.
 */
export class Turns<C extends string> {
  /** Classes, the most urgent first. */
  private readonly lines: readonly (readonly [C, Line])[]
  private isScheduled = false
  private timer: NodeJS.Timeout | undefined
  /** Time of the synchronous parts of requests without a share, which is not charged to others. */
  private othersMs = 0

  constructor(
    classes: Readonly<Record<C, TurnClass>>,
    private readonly time: ThreadTime = THREAD_TIME,
  ) {
    this.lines = (Object.keys(classes) as C[]).map((name) => [name, new Line(classes[name])])
  }

  /** Number of requests that have not begun. */
  get waiting(): number {
    return this.lines.reduce((sum, [, line]) => sum + line.waiting.length, 0)
  }

  /** Run work in a turn of its class; returns its result, or rejects with its error. */
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

  /** Begin one request, if any may begin. */
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
