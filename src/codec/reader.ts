/**
 * Owns the read position over input bytes: each primitive is read with its canonical form checked, or skipped likewise.
 */
import { fail } from './fault.js'
import { DEFAULT_MAX_DEPTH } from './limits.js'
import { asciiEnd, fast, utf8Fault, viewOf } from './text.js'

const EMPTY = Buffer.alloc(0)
const TWO_28 = 0x1000_0000

/** Input bytes with a position. Methods throw a RawFault if the input is not canonical. */
export class Reader {
  buf: Buffer
  pos: number
  end: number
  depth = 0
  maxDepth: number
  /** Weight of the JSON read or skipped so far (json-canonical.ts). */
  jsonWeight = 0
  /** The codec context of this decode; opaque here. */
  context: unknown

  /** @param isChecked true if the schema has validated the bytes: checks of canonical form may be omitted */
  constructor(
    bytes: Uint8Array = EMPTY,
    context: unknown = undefined,
    maxDepth = DEFAULT_MAX_DEPTH,
    readonly isChecked = false,
  ) {
    this.buf = viewOf(bytes)
    this.pos = 0
    this.end = bytes.length
    this.context = context
    this.maxDepth = maxDepth
  }

  /** Start reading other bytes. */
  reset(bytes: Uint8Array, context: unknown, maxDepth: number): void {
    this.buf = viewOf(bytes)
    this.pos = 0
    this.end = bytes.length
    this.depth = 0
    this.jsonWeight = 0
    this.context = context
    this.maxDepth = maxDepth
  }

  /** Release the input, so that a pooled reader does not retain memory. */
  release(): void {
    this.buf = EMPTY
    this.pos = 0
    this.end = 0
    this.context = undefined
  }

  /** Reject unread bytes. */
  finish(): void {
    if (this.pos !== this.end) fail('trailing_bytes', `${this.end - this.pos} bytes after the value`, this.pos)
  }

  enter(): void {
    if (++this.depth > this.maxDepth) fail('too_deep', `more than ${this.maxDepth} levels`, this.pos)
  }

  leave(): void {
    this.depth--
  }

  private short(size: number): never {
    return fail('truncated', `needs ${size} bytes, ${this.end - this.pos} are left`, this.pos)
  }

  /** Advance by `size` bytes and return their position. */
  take(size: number): number {
    const start = this.pos
    if (size > this.end - start) this.short(size)
    this.pos = start + size
    return start
  }

  u8(): number {
    const at = this.pos
    if (at >= this.end) this.short(1)
    this.pos = at + 1
    return this.buf[at]!
  }

  u16(): number {
    const at = this.take(2)
    return this.buf[at]! | (this.buf[at + 1]! << 8)
  }

  u32(): number {
    const at = this.take(4)
    const buf = this.buf
    return (buf[at]! | (buf[at + 1]! << 8) | (buf[at + 2]! << 16) | (buf[at + 3]! << 24)) >>> 0
  }

  u64(): bigint {
    return this.buf.readBigUInt64LE(this.take(8))
  }

  bool(): boolean {
    const value = this.u8()
    if (value > 1) fail('non_canonical', 'a boolean must be 0 or 1', this.pos - 1)
    return value === 1
  }

  /** Tag of an optional value: true if the value follows. */
  present(): boolean {
    const value = this.u8()
    if (value > 1) fail('bad_tag', 'an option tag must be 0 or 1', this.pos - 1)
    return value === 1
  }

  /** Shortest LEB128 up to 2^53 - 1. */
  varint(): number {
    const first = this.u8()
    return first < 0x80 ? first : this.longVarint(first)
  }

  private longVarint(first: number): number {
    const start = this.pos - 1
    let low = first & 0x7f
    let high = 0
    for (let i = 1; i < 8; i++) {
      const byte = this.u8()
      const bits = byte & 0x7f
      if (i < 4) low |= bits << (7 * i)
      else high |= bits << (7 * (i - 4))
      if (byte < 0x80) {
        if (byte === 0) fail('non_canonical', 'an integer is not in its shortest form', start)
        const value = (high >>> 0) * TWO_28 + low
        if (value > Number.MAX_SAFE_INTEGER) fail('out_of_bounds', 'an integer exceeds 2^53 - 1', start)
        return value
      }
    }
    return fail('out_of_bounds', 'an integer exceeds 2^53 - 1', start)
  }

  /** Shortest LEB128 up to 2^64 - 1. */
  varintBig(): bigint {
    const start = this.pos
    const size = this.skipVarintBig()
    if (size <= 7) {
      this.pos = start
      return BigInt(this.varint())
    }
    let value = 0n
    for (let i = size - 1; i >= 0; i--) value = (value << 7n) | BigInt(this.buf[start + i]! & 0x7f)
    return value
  }

  /** Check a 64-bit LEB128 and return its size in bytes. */
  skipVarintBig(): number {
    const start = this.pos
    for (let i = 0; i < 10; i++) {
      const byte = this.u8()
      if (byte < 0x80) {
        if (byte === 0 && i > 0) fail('non_canonical', 'an integer is not in its shortest form', start)
        if (i === 9 && byte > 1) break
        return i + 1
      }
    }
    return fail('out_of_bounds', 'an integer exceeds 2^64 - 1', start)
  }

  /** Skip a fixed number of bytes. */
  skip(size: number): void {
    if (size > this.end - this.pos) this.short(size)
    this.pos += size
  }

  /** View of the next `size` bytes. */
  bytesN(size: number): Buffer {
    const at = this.take(size)
    return this.buf.subarray(at, at + size)
  }

  /** Length of a byte string, checked against its bound and the rest of the input. */
  length(maxBytes: number): number {
    const at = this.pos
    const size = this.varint()
    if (size > maxBytes) fail('out_of_bounds', `${size} bytes exceed the limit of ${maxBytes}`, at)
    if (size > this.end - this.pos) this.short(size)
    return size
  }

  /** Count of a list or map, checked against its bound and the rest of the input before anything is allocated. */
  count(maxItems: number, minItemBytes: number): number {
    const at = this.pos
    const count = this.varint()
    if (count > maxItems) fail('out_of_bounds', `${count} items, at most ${maxItems}`, at)
    if (count * minItemBytes > this.end - this.pos) {
      fail('truncated', `${count} items need ${count * minItemBytes} bytes, ${this.end - this.pos} are left`, at)
    }
    return count
  }

  /** View of a length-prefixed byte string. */
  bytes(maxBytes: number): Buffer {
    return this.bytesN(this.length(maxBytes))
  }

  skipBytes(maxBytes: number): void {
    const size = this.length(maxBytes)
    this.pos += size
  }

  /** Length-prefixed UTF-8 text. */
  string(maxBytes: number): string {
    const size = this.length(maxBytes)
    const start = this.pos
    const end = start + size
    const ascii = asciiEnd(this.buf, start, end)
    this.pos = end
    if (ascii === end) return fast(this.buf).latin1Slice(start, end)
    this.utf8(ascii, end)
    // Unlike TextDecoder, this keeps a leading byte order mark.
    return fast(this.buf).utf8Slice(start, end)
  }

  skipString(maxBytes: number): void {
    const size = this.length(maxBytes)
    const from = this.pos
    const end = from + size
    const ascii = asciiEnd(this.buf, from, end)
    if (ascii !== end) this.utf8(ascii, end)
    this.pos = end
  }

  private utf8(from: number, end: number): void {
    const at = utf8Fault(this.buf, from, end)
    if (at >= 0) fail('bad_utf8', 'not UTF-8', at)
  }

  /** Next `size` bytes as a latin1 string, one character per byte. */
  latin1(size: number): string {
    const at = this.take(size)
    return fast(this.buf).latin1Slice(at, at + size)
  }

  /** Narrow the reader to a length-prefixed body; returns the outer end for `endBody`. */
  beginBody(): number {
    const size = this.length(Number.MAX_SAFE_INTEGER)
    const outer = this.end
    this.end = this.pos + size
    return outer
  }

  /** End a body, which must be read completely. */
  endBody(outer: number): void {
    this.finish()
    this.end = outer
  }
}
