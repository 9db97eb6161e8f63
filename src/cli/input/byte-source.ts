/** Owns incremental reading of a file or of standard input: a number of bytes, or a line, for inputs of any length. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { LedgerError } from '../../model/errors.js'
import { inputName } from './input.js'

const LINE_FEED = 0x0a
/** First bytes of a gzip member (RFC 1952, section 2.3.1). */
const GZIP_MAGIC = Buffer.of(0x1f, 0x8b)
/** Size of a read, in bytes. */
const READ_BYTES = 1024 * 1024

/** Bytes in order; reads at most one chunk ahead. */
export class ByteSource {
  private pieces: AsyncIterator<Buffer>
  private held: Buffer = Buffer.alloc(0)
  private ended = false
  /** Number of bytes returned so far. */
  taken = 0

  private constructor(
    readonly name: string,
    private readonly stream: Readable,
    /** Total bytes; undefined if unknown, as for standard input and after unpacking. */
    public total: number | undefined,
  ) {
    this.pieces = stream[Symbol.asyncIterator]()
  }

  /** Open a file or, for `-`, standard input. Throws `file_missing`, `file_unreadable`. */
  static async open(path: string): Promise<ByteSource> {
    const name = inputName(path)
    if (path === '-') return new ByteSource(name, process.stdin, undefined)
    const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
      const code = error.code === 'ENOENT' ? 'file_missing' : 'file_unreadable'
      throw new LedgerError(code, `${path}: cannot read the file (${error.code ?? 'unknown error'})`)
    })
    if (info.isDirectory()) throw new LedgerError('file_unreadable', `${path}: is a folder`)
    const total = info.isFile() ? info.size : undefined
    return new ByteSource(name, createReadStream(path, { highWaterMark: READ_BYTES }), total)
  }

  /**
   * Continue with the unpacked content if the next bytes are gzip. Reads throw `truncated` or `bad_value` if it is
   * invalid.
   */
  async unpack(): Promise<void> {
    if (!(await this.peek(GZIP_MAGIC.length)).equals(GZIP_MAGIC)) return
    const { pieces, held } = this
    const packed = async function* (): AsyncGenerator<Buffer> {
      yield held
      for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value
    }
    // A fault is thrown to the reader.
    const unpacked = pipeline(Readable.from(packed()), createGunzip(), () => undefined)
    this.pieces = unpacked[Symbol.asyncIterator]()
    this.held = Buffer.alloc(0)
    this.ended = false
    this.total = undefined
  }

  /** Next bytes without consuming them; fewer only at the end. */
  async peek(count: number): Promise<Buffer> {
    await this.fill((held) => held.length >= count)
    return this.held.subarray(0, count)
  }

  /** Read exactly `count` bytes, or fewer at the end. */
  async take(count: number): Promise<Buffer> {
    await this.fill((held) => held.length >= count)
    return this.give(Math.min(count, this.held.length))
  }

  /** Read a line without its end; undefined at the end of the source. Throws `payload_too_large`. */
  async line(maxBytes: number): Promise<Buffer | undefined> {
    let end = -1
    await this.fill((held) => {
      end = held.indexOf(LINE_FEED)
      return end >= 0 || held.length > maxBytes
    })
    if (this.held.length === 0) return undefined
    if ((end < 0 ? this.held.length : end) > maxBytes) {
      throw new LedgerError('payload_too_large', `${this.name}: line longer than ${maxBytes} bytes`)
    }
    const line = this.give(end < 0 ? this.held.length : end + 1)
    return end < 0 ? line : line.subarray(0, end)
  }

  /** Close the file; pending reads are rejected. */
  close(): void {
    this.stream.destroy()
  }

  private packedFault(error: NodeJS.ErrnoException): unknown {
    if (error.code?.startsWith('Z_') !== true) return error
    return error.code === 'Z_BUF_ERROR'
      ? new LedgerError('truncated', `${this.name}: the compressed data is truncated`)
      : new LedgerError('bad_value', `${this.name}: the compressed data is corrupt: ${error.message}`)
  }

  private give(count: number): Buffer {
    const bytes = this.held.subarray(0, count)
    this.held = this.held.subarray(count)
    this.taken += count
    return bytes
  }

  private async fill(isEnough: (held: Buffer) => boolean): Promise<void> {
    while (!isEnough(this.held) && !this.ended) {
      const { value, done } = await this.pieces.next().catch((error: NodeJS.ErrnoException) => {
        throw this.packedFault(error)
      })
      if (done === true) this.ended = true
      else this.held = this.held.length === 0 ? value : Buffer.concat([this.held, value])
    }
  }
}
