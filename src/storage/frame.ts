/**
 * Owns the frames of every log file: the unit of a write, and the distinction of a torn tail from corruption.
 *
 * File: 8 bytes `CWLOG` 0 0 1, 4 bytes marker, u32 checksum of both; then frames {marker, u32 length, payload, u32
 * checksum}. The marker is random per file, so that untrusted payload bytes and old disk content cannot pass as a
 * frame. A frame is written completely and synced before the next one starts. A bad frame followed by a good frame is
 * therefore corruption, and a bad frame at the end was never acknowledged.
 */
import { randomBytes } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { readAt } from './files.js'
import { FRAME_MAX_BYTES, SCAN_WINDOW_BYTES } from './limits.js'

const MAGIC = Buffer.from('CWLOG\0\0\x01', 'latin1')
/** Size of the file header. */
export const LOG_HEADER_BYTES = 16
/** Size of a frame besides its payload. */
export const FRAME_OVERHEAD_BYTES = 12
/** Size of a frame before its payload. */
export const FRAME_HEAD_BYTES = 8

/** Header of a new log file. */
export function newLogHeader(): Buffer {
  const marker = randomBytes(4)
  // No zero bytes, so that a range of zeros, which a crash can leave, never contains a marker.
  for (let at = 0; at < 4; at += 1) marker[at] ||= 1
  const head = Buffer.concat([MAGIC, marker, Buffer.alloc(4)])
  head.writeUInt32BE(crc32(head.subarray(0, 12)), 12)
  return head
}

/** Marker of a log file's header, or undefined if the bytes are not a header. */
export function readLogHeader(head: Buffer): number | undefined {
  if (head.length < LOG_HEADER_BYTES || !head.subarray(0, 8).equals(MAGIC)) return undefined
  return head.readUInt32BE(12) === crc32(head.subarray(0, 12)) ? head.readUInt32BE(8) : undefined
}

/** Frame of the payload parts, in order, in a new buffer. */
export function encodeLogFrame(marker: number, parts: readonly Uint8Array[]): Buffer {
  let length = 0
  for (const part of parts) length += part.length
  if (length > FRAME_MAX_BYTES) throw new Error(`a log frame of ${length} bytes exceeds ${FRAME_MAX_BYTES}`)
  const frame = Buffer.allocUnsafe(length + FRAME_OVERHEAD_BYTES)
  frame.writeUInt32BE(marker, 0)
  frame.writeUInt32BE(length, 4)
  let at = FRAME_HEAD_BYTES
  for (const part of parts) {
    frame.set(part, at)
    at += part.length
  }
  frame.writeUInt32BE(crc32(frame.subarray(4, at), marker), at)
  return frame
}

/** Payload of a complete frame (a view), or undefined. */
export function openLogFrame(marker: number, frame: Buffer): Buffer | undefined {
  if (frame.length < FRAME_OVERHEAD_BYTES || frame.readUInt32BE(0) !== marker) return undefined
  const end = frame.length - 4
  if (frame.readUInt32BE(4) !== end - FRAME_HEAD_BYTES) return undefined
  return crc32(frame.subarray(4, end), marker) === frame.readUInt32BE(end) ? frame.subarray(8, end) : undefined
}

/** Forward reader of a file through one window of memory. */
class Window {
  private start = 0
  private bytes: Buffer = Buffer.alloc(0)

  constructor(
    private readonly handle: FileHandle,
    readonly size: number,
  ) {}

  /** View of exactly these bytes, valid until the next call; the range must be inside the file. */
  async at(offset: number, length: number): Promise<Buffer> {
    const from = offset - this.start
    if (from < 0 || from + length > this.bytes.length) {
      const want = Math.min(Math.max(length, SCAN_WINDOW_BYTES), this.size - offset)
      this.bytes = await readAt(this.handle, offset, want)
      this.start = offset
      if (this.bytes.length < length) throw new Error('a log file shrank while it was read')
      return this.bytes.subarray(0, length)
    }
    return this.bytes.subarray(from, from + length)
  }
}

/** Result of a scan. */
export interface LogScan {
  /** Offset after the last valid frame. */
  readonly end: number
  /** Offset of an invalid frame that is followed by valid ones. */
  readonly damagedAt: number | undefined
}

/**
 * Read the frames of a log from an offset to the end of the file.
 *
 * @param onFrame called with the payload of each valid frame (a view, valid during the call), its offset and its total
 * length
 */
export async function scanLog(
  handle: FileHandle,
  marker: number,
  from: number,
  onFrame: (payload: Buffer, offset: number, length: number) => void,
): Promise<LogScan> {
  const { size } = await handle.stat()
  const window = new Window(handle, size)
  let offset = from
  let end = from
  let bad: number | undefined
  let damagedAt: number | undefined
  for (;;) {
    const frame = await frameAt(window, marker, offset)
    if (frame !== undefined) {
      if (bad !== undefined) damagedAt ??= bad
      onFrame(frame.subarray(FRAME_HEAD_BYTES, frame.length - 4), offset, frame.length)
      offset += frame.length
      end = offset
      continue
    }
    if (offset < size) bad ??= offset
    const next = await findMarker(window, marker, offset + 1)
    if (next === undefined) return { end, damagedAt }
    offset = next
  }
}

async function frameAt(window: Window, marker: number, offset: number): Promise<Buffer | undefined> {
  const left = window.size - offset
  if (left < FRAME_OVERHEAD_BYTES) return undefined
  const head = await window.at(offset, FRAME_HEAD_BYTES)
  if (head.readUInt32BE(0) !== marker) return undefined
  const length = head.readUInt32BE(4) + FRAME_OVERHEAD_BYTES
  if (length > left || length > FRAME_MAX_BYTES + FRAME_OVERHEAD_BYTES) return undefined
  const frame = await window.at(offset, length)
  return openLogFrame(marker, frame) === undefined ? undefined : frame
}

async function findMarker(window: Window, marker: number, from: number): Promise<number | undefined> {
  const needle = Buffer.alloc(4)
  needle.writeUInt32BE(marker)
  let offset = from
  while (window.size - offset >= FRAME_OVERHEAD_BYTES) {
    const length = Math.min(SCAN_WINDOW_BYTES, window.size - offset)
    const found = (await window.at(offset, length)).indexOf(needle)
    if (found >= 0) return offset + found
    // A marker may span the border of two windows.
    offset += length - 3
  }
  return undefined
}
