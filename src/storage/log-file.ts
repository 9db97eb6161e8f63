/** Owns one log file on disk: creation, opening with a truncated tail, frames appended and read by position. */
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { errorCode } from '../base/thrown.js'
import { type FailPoint, failPoint, isDue } from './fail-point.js'
import { APPENDED, cutFile, readAt, replaceFile, writeDurably } from './files.js'
import { encodeLogFrame, LOG_HEADER_BYTES, newLogHeader, openLogFrame, readLogHeader, scanLog } from './frame.js'

/** Fail points of the logs that others depend on. */
const LOG_POINTS = new Map<string, { readonly torn: FailPoint; readonly unreported: FailPoint }>([
  ['votes.log', { torn: 70, unreported: 71 }],
  ['headers.log', { torn: 72, unreported: 73 }],
  ['queue.log', { torn: 74, unreported: 75 }],
])

/** Log file with one writer, which waits for each append before the next. */
export class LogFile {
  private constructor(
    readonly path: string,
    private readonly handle: FileHandle,
    private readonly marker: number,
    private end: number,
    /**
     * Offset of an invalid frame that valid ones follow, or 0 for an invalid file header; undefined if the file is
     * valid.
     */
    readonly damagedAt: number | undefined,
  ) {}

  /**
   * Create the file with these payloads as its first frame (no frame if there are none), replacing another file
   * atomically.
   */
  static async create(path: string, parts: readonly Uint8Array[] = []): Promise<LogFile> {
    const head = newLogHeader()
    const content = parts.length === 0 ? head : Buffer.concat([head, encodeLogFrame(head.readUInt32BE(8), parts)])
    await replaceFile(path, content)
    return new LogFile(path, await open(path, APPENDED), head.readUInt32BE(8), content.length, undefined)
  }

  /**
   * Open the file, read its frames from an offset and truncate an incomplete tail; undefined if the file does not
   * exist.
   *
   * @param from first offset to read; the bytes before it must be valid
   * @param onFrame called with payload (a view, valid during the call), offset and total length of each valid frame
   */
  static async open(
    path: string,
    onFrame: (payload: Buffer, offset: number, length: number) => void,
    from = LOG_HEADER_BYTES,
  ): Promise<LogFile | undefined> {
    let handle: FileHandle
    try {
      handle = await open(path, APPENDED)
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    }
    try {
      const marker = readLogHeader(await readAt(handle, 0, LOG_HEADER_BYTES))
      // Files are created by an atomic rename, so an invalid header never results from a crash.
      if (marker === undefined) return new LogFile(path, handle, 0, 0, 0)
      const scan = await scanLog(handle, marker, from, onFrame)
      if (scan.damagedAt === undefined) await cutFile(handle, (await handle.stat()).size, scan.end)
      return new LogFile(path, handle, marker, scan.end, scan.damagedAt)
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** Size of the file, in bytes. */
  get sizeBytes(): number {
    return this.end
  }

  /** Append a frame in one durable write; resolves with its position. */
  async append(parts: readonly Uint8Array[]): Promise<{ offset: number; length: number }> {
    if (this.damagedAt !== undefined) throw new Error(`${this.path} is corrupt: reset it before writing`)
    const frame = encodeLogFrame(this.marker, parts)
    const offset = this.end
    const points = LOG_POINTS.get(basename(this.path))
    if (points !== undefined && isDue(points.torn))
      await writeDurably(this.handle, frame.subarray(0, frame.length >> 1), offset)
    if (points !== undefined) failPoint(points.torn)
    await writeDurably(this.handle, frame, offset)
    if (points !== undefined) failPoint(points.unreported)
    this.end += frame.length
    return { offset, length: frame.length }
  }

  /** Append a frame for each payload in one durable write; resolves with their positions. */
  async appendAll(payloads: readonly (readonly Uint8Array[])[]): Promise<{ offset: number; length: number }[]> {
    if (this.damagedAt !== undefined) throw new Error(`${this.path} is corrupt: reset it before writing`)
    const frames = payloads.map((parts) => encodeLogFrame(this.marker, parts))
    let offset = this.end
    const places = frames.map(({ length }) => {
      const place = { offset, length }
      offset += length
      return place
    })
    await writeDurably(this.handle, Buffer.concat(frames), this.end)
    this.end = offset
    return places
  }

  /** Payload of the frame at a position, in a new buffer; undefined if the bytes there are not this frame. */
  async read(offset: number, length: number): Promise<Buffer | undefined> {
    return openLogFrame(this.marker, await readAt(this.handle, offset, length))
  }

  /** Like `read`, for consecutive frames: one read of the file for all. */
  async readAll(
    places: readonly { readonly offset: number; readonly length: number }[],
  ): Promise<(Buffer | undefined)[]> {
    const [first, last] = [places[0], places.at(-1)]
    if (first === undefined || last === undefined) return []
    const bytes = await readAt(this.handle, first.offset, last.offset + last.length - first.offset)
    return places.map(({ offset, length }) => {
      const from = offset - first.offset
      return openLogFrame(this.marker, bytes.subarray(from, from + length))
    })
  }

  /** Close the file. */
  close(): Promise<void> {
    return this.handle.close()
  }
}
