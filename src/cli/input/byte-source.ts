/** Owns the reading of a file or of standard input piece by piece: so many bytes, or a line, however long the whole is. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { LedgerError } from '../../model/errors.js'
import { inputName } from './input.js'

const LINE_FEED = 0x0a
/** Piece of a file that is read at once, in bytes. */
const READ_BYTES = 1024 * 1024

/** Bytes in order; nothing is read ahead but one piece. */
export class ByteSource {
  private readonly pieces: AsyncIterator<Buffer>
  private held: Buffer = Buffer.alloc(0)
  private ended = false
  /** Bytes that were given. */
  taken = 0

  private constructor(
    readonly name: string,
    private readonly stream: Readable,
    /** Bytes of the whole; undefined for standard input. */
    readonly total: number | undefined,
  ) {
    this.pieces = stream[Symbol.asyncIterator]()
  }

  /** Opens a file or, for `-`, standard input. Throws `file_missing`, `file_unreadable`. */
  static async open(path: string): Promise<ByteSource> {
    const name = inputName(path)
    if (path === '-') return new ByteSource(name, process.stdin, undefined)
    const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
      const code = error.code === 'ENOENT' ? 'file_missing' : 'file_unreadable'
      throw new LedgerError(code, `${path}: cannot be read (${error.code ?? 'unknown error'})`)
    })
    if (info.isDirectory()) throw new LedgerError('file_unreadable', `${path}: this is a folder`)
    const total = info.isFile() ? info.size : undefined
    return new ByteSource(name, createReadStream(path, { highWaterMark: READ_BYTES }), total)
  }

  /** The next bytes without taking them, fewer only at the end. */
  async peek(count: number): Promise<Buffer> {
    await this.fill((held) => held.length >= count)
    return this.held.subarray(0, count)
  }

  /** Takes exactly so many bytes, or fewer at the end. */
  async take(count: number): Promise<Buffer> {
    await this.fill((held) => held.length >= count)
    return this.give(Math.min(count, this.held.length))
  }

  /** Takes a line without its end; undefined at the end of the source. Throws `payload_too_large`. */
  async line(maxBytes: number): Promise<Buffer | undefined> {
    let end = -1
    await this.fill((held) => {
      end = held.indexOf(LINE_FEED)
      return end >= 0 || held.length > maxBytes
    })
    if (this.held.length === 0) return undefined
    if ((end < 0 ? this.held.length : end) > maxBytes) {
      throw new LedgerError('payload_too_large', `${this.name}: a line of more than ${maxBytes} bytes`)
    }
    const line = this.give(end < 0 ? this.held.length : end + 1)
    return end < 0 ? line : line.subarray(0, end)
  }

  /** Lets go of the file; whoever waits for a piece gets an error. */
  close(): void {
    this.stream.destroy()
  }

  private give(count: number): Buffer {
    const bytes = this.held.subarray(0, count)
    this.held = this.held.subarray(count)
    this.taken += count
    return bytes
  }

  private async fill(isEnough: (held: Buffer) => boolean): Promise<void> {
    while (!isEnough(this.held) && !this.ended) {
      const { value, done } = await this.pieces.next()
      if (done === true) this.ended = true
      else this.held = this.held.length === 0 ? value : Buffer.concat([this.held, value])
    }
  }
}
