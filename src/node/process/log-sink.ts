/**
 * Owns writing of log lines to a descriptor: in order, asynchronous, bounded; a blocked sink does not end the process.
 */
import { closeSync, write } from 'node:fs'
import { promisify } from 'node:util'
import { type DestinationStream, pino, stdTimeFunctions } from 'pino'
import { sleep } from '../../base/sleep.js'
import { errorCode } from '../../base/thrown.js'

/**
 * Maximum bytes of lines that wait for a write; further lines are dropped. Holds several seconds of a busy node at
 * level debug.
 */
export const WAITING_LINES_MAX_BYTES = 1_048_576
/** Delay before a full pipe is retried, in ms. */
const FULL_PIPE_MS = 100
/** Maximum time that the end of the process waits for the last lines, in ms. */
const END_MS = 1_000

const NEWLINE = 0x0a

/** Result of the promisified `write`. */
const writeTo = promisify(write) as (fd: number, bytes: Buffer) => Promise<{ readonly bytesWritten: number }>

/** Number of lines that end in these bytes. */
function linesIn(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1
  return count
}

/**
 * Writer of lines to one descriptor. Lines refused by a full disk, a closed pipe or a slow reader are dropped and
 * counted.
 */
export class LogSink implements DestinationStream {
  private waiting: string[] = []
  private waitingBytes = 0
  private lostLines = 0
  /** Number of dropped lines already reported in the log. */
  private reported = 0
  /** True if the last write ended within a line. */
  private isTorn = false
  private next: number | undefined
  private draining: Promise<void> | undefined

  constructor(private descriptor: number) {}

  /** Number of lines dropped since the start. */
  get lost(): number {
    return this.lostLines
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line)
    if (this.waitingBytes + bytes > WAITING_LINES_MAX_BYTES) {
      this.lostLines += 1
      return
    }
    this.waiting.push(line)
    this.waitingBytes += bytes
    this.draining ??= this.drain()
  }

  /** Call back once all earlier lines were written or dropped. */
  flush(done: () => void = () => undefined): void {
    void (this.draining ?? Promise.resolve()).then(done)
  }

  /** Resolves to true once all lines were written or dropped, or to false if the sink blocks. */
  async end(): Promise<boolean> {
    const drained = (this.draining ?? Promise.resolve()).then(() => true)
    const stop = new AbortController()
    try {
      return await Promise.race([drained, sleep(END_MS, { signal: stop.signal }).then(() => false)])
    } finally {
      stop.abort()
    }
  }

  /** Continue with another descriptor after the current write. */
  moveTo(descriptor: number): void {
    if (this.next !== undefined) closeSync(this.next)
    this.next = descriptor
    if (this.draining === undefined) this.move()
  }

  private move(): void {
    if (this.next === undefined) return
    closeSync(this.descriptor)
    this.descriptor = this.next
    this.next = undefined
    this.isTorn = false
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      this.move()
      const lost = this.lostLines
      const head = Buffer.from(
        `${this.isTorn ? '\n' : ''}${lost > this.reported ? lossLine(lost - this.reported) : ''}`,
      )
      const bytes = Buffer.concat([head, Buffer.from(this.waiting.splice(0).join(''))])
      this.waitingBytes = 0
      const written = await this.writeAll(bytes)
      if (written >= head.length) this.reported = lost
      this.lostLines += linesIn(bytes.subarray(Math.max(written, head.length)))
      if (written > 0) this.isTorn = bytes[written - 1] !== NEWLINE
    }
    this.draining = undefined
  }

  /** Write bytes, and return how many were written: all, or those before a failure. */
  private async writeAll(bytes: Buffer): Promise<number> {
    let written = 0
    while (written < bytes.length) {
      try {
        written += (await writeTo(this.descriptor, bytes.subarray(written))).bytesWritten
      } catch (error) {
        if (errorCode(error) !== 'EAGAIN') break
        await sleep(FULL_PIPE_MS)
      }
    }
    return written
  }
}

/** Log line with the number of dropped lines before it. */
const lossLine = (lost: number): string =>
  `{"level":${pino.levels.values.warn}${stdTimeFunctions.isoTime()},"lost":${lost},"msg":"log lines were lost"}\n`
