/** Owns one log file on disk: creation, opening with its tail cut, frames appended and read by place. */
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { errorCode } from '../base/thrown.js'
import { type FailPoint, failPoint, isDue } from './fail-point.js'
import { APPENDED, cutFile, readAt, replaceFile, writeDurably } from './files.js'
import { encodeLogFrame, LOG_HEADER_BYTES, newLogHeader, openLogFrame, readLogHeader, scanLog } from './frame.js'

/** Fail points of the logs that others rest on. */
const LOG_POINTS = new Map<string, { readonly torn: FailPoint; readonly untold: FailPoint }>([
  ['votes.log', { torn: 70, untold: 71 }],
  ['headers.log', { torn: 72, untold: 73 }],
  ['queue.log', { torn: 74, untold: 75 }],
])

/** A log file: one writer, which waits for each append before the next. */
export class LogFile {
  private constructor(
    readonly path: string,
    private readonly handle: FileHandle,
    private readonly marker: number,
    private end: number,
    /** Offset of a bad frame that good ones follow, or 0 for a bad file header; undefined when the file is sound. */
    readonly damagedAt: number | undefined,
  ) {}

  /** Creates the file with these payloads as its first frame (none: no frame), replacing another atomically. */
  static async create(path: string, parts: readonly Uint8Array[] = []): Promise<LogFile> {
    const head = newLogHeader()
    const content = parts.length === 0 ? head : Buffer.concat([head, encodeLogFrame(head.readUInt32BE(8), parts)])
    await replaceFile(path, content)
    return new LogFile(path, await open(path, APPENDED), head.readUInt32BE(8), content.length, undefined)
  }

  /**
   * Opens the file, reads its frames from an offset on and cuts a torn tail; undefined when there is no file.
   *
   * @param from first offset to read: the caller vouches for what stands before it
   * @param onFrame gets payload (a view, valid during the call), offset and whole length of each good frame
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
      // Files come to be by an atomic rename, so a bad header is never a crash.
      if (marker === undefined) return new LogFile(path, handle, 0, 0, 0)
      const scan = await scanLog(handle, marker, from, onFrame)
      if (scan.damagedAt === undefined) await cutFile(handle, (await handle.stat()).size, scan.end)
      return new LogFile(path, handle, marker, scan.end, scan.damagedAt)
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** Bytes of the file. */
  get sizeBytes(): number {
    return this.end
  }

  /** Writes one frame in one write that waits for the disk; resolves with its place. */
  async append(parts: readonly Uint8Array[]): Promise<{ offset: number; length: number }> {
    if (this.damagedAt !== undefined) throw new Error(`${this.path} is corrupt: reset it before writing`)
    const frame = encodeLogFrame(this.marker, parts)
    const offset = this.end
    const points = LOG_POINTS.get(basename(this.path))
    if (points !== undefined && isDue(points.torn))
      await writeDurably(this.handle, frame.subarray(0, frame.length >> 1), offset)
    if (points !== undefined) failPoint(points.torn)
    await writeDurably(this.handle, frame, offset)
    if (points !== undefined) failPoint(points.untold)
    this.end += frame.length
    return { offset, length: frame.length }
  }

  /** Writes a frame for each payload, all in one write that waits for the disk; resolves with their places. */
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

  /** Payload of the frame at a place, in a fresh buffer; undefined when the bytes there are not that frame. */
  async read(offset: number, length: number): Promise<Buffer | undefined> {
    return openLogFrame(this.marker, await readAt(this.handle, offset, length))
  }

  /** As `read`, for frames that follow each other: one read of the file for all. */
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

  /** Closes the file. */
  close(): Promise<void> {
    return this.handle.close()
  }
}
