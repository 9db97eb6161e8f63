/**
 * Owns `headers.idx`: position and hash of every header record by height, and the heights by hash.
 *
 * The file is derived and not synced: opening checks every entry, truncates it at the first invalid one and fills it
 * again from the header log. Entries are 48 bytes: u64 offset, u32 length, 32 bytes block hash, u32 checksum seeded
 * with the height.
 */
import { closeSync, constants, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { LOG_HEADER_BYTES } from './frame.js'
import { HeightTables } from './height-tables.js'

const ENTRY_BYTES = 48
const HASHED_BYTES = 44
/** Entries per read when the index is loaded. */
const LOAD_ENTRIES = 16_384

/** Position of a header record in `headers.log`. */
export interface HeaderPlace {
  readonly offset: number
  readonly length: number
}

/** Index of one block store. */
export class HeaderIndex {
  private count = 0
  /** Offset after the last indexed header record. */
  private end = LOG_HEADER_BYTES
  private readonly heights = new HeightTables((from, to, take) => this.readHashes(from, to, take))
  private readonly scratch = Buffer.alloc(ENTRY_BYTES)

  private constructor(private readonly fd: number) {}

  /** Open or create the index, and keep its valid part. */
  static open(path: string): HeaderIndex {
    const index = new HeaderIndex(openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600))
    index.load()
    return index
  }

  /** Height of the last indexed block. */
  get height(): number {
    return this.count
  }

  /** Offset in the header log after the last indexed record. */
  get endOffset(): number {
    return this.end
  }

  /** Position of a header record; the height must be indexed. */
  placeOf(height: number): HeaderPlace {
    const entry = this.entry(height)
    return { offset: Number(entry.readBigUInt64BE(0)), length: entry.readUInt32BE(8) }
  }

  /** Block hash at an indexed height, in a new buffer. */
  hashAt(height: number): Buffer {
    return Buffer.from(this.entry(height).subarray(12, HASHED_BYTES))
  }

  /** Height of a block hash, or undefined. */
  heightOf(hash: Uint8Array): number | undefined {
    if (hash.length !== 32) return undefined
    return this.heights.heightOf(hash, (height) => this.entry(height).subarray(12, HASHED_BYTES).equals(hash))
  }

  /** Add the next height. */
  add(hash: Uint8Array, place: HeaderPlace): void {
    const entry = Buffer.allocUnsafe(ENTRY_BYTES)
    entry.writeBigUInt64BE(BigInt(place.offset), 0)
    entry.writeUInt32BE(place.length, 8)
    entry.set(hash, 12)
    entry.writeUInt32BE(crc32(entry.subarray(0, HASHED_BYTES), this.count + 1), HASHED_BYTES)
    writeSync(this.fd, entry, 0, ENTRY_BYTES, this.count * ENTRY_BYTES)
    this.count += 1
    this.end = place.offset + place.length
    this.heights.add(hash, this.count)
  }

  /** Sync and close the file. */
  close(): void {
    fsyncSync(this.fd)
    closeSync(this.fd)
  }

  private entry(height: number): Buffer {
    if (height < 1 || height > this.count) throw new Error(`height ${height} is not indexed`)
    const read = readSync(this.fd, this.scratch, 0, ENTRY_BYTES, (height - 1) * ENTRY_BYTES)
    if (read !== ENTRY_BYTES) throw new Error('the header index shrank')
    return this.scratch
  }

  private load(): void {
    const chunk = Buffer.allocUnsafe(LOAD_ENTRIES * ENTRY_BYTES)
    for (;;) {
      const read = readSync(this.fd, chunk, 0, chunk.length, this.count * ENTRY_BYTES)
      let at = 0
      for (; at + ENTRY_BYTES <= read; at += ENTRY_BYTES) {
        if (!this.loadEntry(chunk.subarray(at, at + ENTRY_BYTES))) break
      }
      if (at < chunk.length) break
    }
    ftruncateSync(this.fd, this.count * ENTRY_BYTES)
  }

  private loadEntry(entry: Buffer): boolean {
    const offset = Number(entry.readBigUInt64BE(0))
    const checksum = crc32(entry.subarray(0, HASHED_BYTES), this.count + 1)
    if (offset !== this.end || checksum !== entry.readUInt32BE(HASHED_BYTES)) return false
    this.count += 1
    this.end = offset + entry.readUInt32BE(8)
    this.heights.add(entry.subarray(12, HASHED_BYTES), this.count)
    return true
  }

  private readHashes(from: number, to: number, take: (hash: Uint8Array, height: number) => void): void {
    const chunk = Buffer.allocUnsafe(LOAD_ENTRIES * ENTRY_BYTES)
    for (let height = from; height <= to; height += LOAD_ENTRIES) {
      const entries = Math.min(LOAD_ENTRIES, to - height + 1)
      readSync(this.fd, chunk, 0, entries * ENTRY_BYTES, (height - 1) * ENTRY_BYTES)
      for (let at = 0; at < entries; at += 1) {
        take(chunk.subarray(at * ENTRY_BYTES + 12, at * ENTRY_BYTES + HASHED_BYTES), height + at)
      }
    }
  }
}
