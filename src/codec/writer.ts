/** Owns the growing output buffer and the wire form of all primitives. */
import { RawFault } from './fault.js'
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_DEPTH } from './limits.js'
import { RawNumber } from './raw-number.js'
import { fast, viewOf, wellFormed } from './text.js'

const TWO_32 = 0x1_0000_0000
const MAX_U64 = 0xffff_ffff_ffff_ffffn
/** Number of UTF-16 units up to which a string has at most 126 bytes, so that its length takes one byte. */
const SHORT_TEXT_UNITS = 42

/** Value, shortened for an error message. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value)
  if (value === null || typeof value !== 'object') return String(value)
  if (value instanceof RawNumber) return value.text.slice(0, 40)
  return Array.isArray(value) ? 'an array' : 'an object'
}

/**
 * Throw for a value that does not match its schema: a bug of the caller, which the public functions convert to an
 * Error.
 */
export function misuse(expected: string, value: unknown): never {
  throw new RawFault('bad_value', `expected ${expected}, got ${shown(value)}`, undefined)
}

/** Growing buffer with a write position. Methods throw if a value is out of range. */
export class Writer {
  buf: Buffer
  pos = 0
  depth = 0
  readonly maxDepth = DEFAULT_MAX_DEPTH
  /** The codec context of this encode; opaque here. */
  context: unknown

  constructor(capacity = 1024, context: unknown = undefined) {
    this.buf = Buffer.allocUnsafe(capacity)
    this.context = context
  }

  /** Ensure space for `size` more bytes. */
  ensure(size: number): void {
    if (this.pos + size > this.buf.length) this.grow(size)
  }

  private grow(size: number): void {
    const needed = this.pos + size
    if (needed > DEFAULT_MAX_BYTES)
      throw new RawFault('out_of_bounds', `longer than ${DEFAULT_MAX_BYTES} bytes`, undefined)
    const next = Buffer.allocUnsafe(Math.max(needed, Math.min(this.buf.length * 2, DEFAULT_MAX_BYTES)))
    this.buf.copy(next, 0, 0, this.pos)
    this.buf = next
  }

  /** Copy of the written bytes. */
  toBytes(): Buffer {
    const out = Buffer.allocUnsafe(this.pos)
    this.buf.copy(out, 0, 0, this.pos)
    return out
  }

  enter(): void {
    if (++this.depth > this.maxDepth) throw new RawFault('too_deep', `more than ${this.maxDepth} levels`, undefined)
  }

  leave(): void {
    this.depth--
  }

  u8(value: number): void {
    if (!Number.isInteger(value) || value < 0 || value > 0xff) misuse('an integer from 0 to 255', value)
    this.ensure(1)
    this.buf[this.pos++] = value
  }

  u16(value: number): void {
    if (!Number.isInteger(value) || value < 0 || value > 0xffff) misuse('an integer from 0 to 65535', value)
    this.ensure(2)
    this.buf[this.pos++] = value
    this.buf[this.pos++] = value >>> 8
  }

  u32(value: number): void {
    if (!Number.isInteger(value) || value < 0 || value >= TWO_32) misuse('an integer from 0 to 4294967295', value)
    this.ensure(4)
    this.buf[this.pos++] = value
    this.buf[this.pos++] = value >>> 8
    this.buf[this.pos++] = value >>> 16
    this.buf[this.pos++] = value >>> 24
  }

  u64(value: bigint): void {
    if (typeof value !== 'bigint' || value < 0n || value > MAX_U64) misuse('a bigint from 0 to 2^64 - 1', value)
    this.ensure(8)
    this.buf.writeBigUInt64LE(value, this.pos)
    this.pos += 8
  }

  bool(value: boolean): void {
    if (value !== true && value !== false) misuse('a boolean', value)
    this.ensure(1)
    this.buf[this.pos++] = value ? 1 : 0
  }

  /** Shortest LEB128 of a safe integer. */
  varint(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) misuse('a non-negative safe integer', value)
    this.ensure(8)
    const buf = this.buf
    let rest = value
    while (rest > 0x7fff_ffff) {
      buf[this.pos++] = (rest % 128) | 0x80
      rest = Math.floor(rest / 128)
    }
    while (rest > 0x7f) {
      buf[this.pos++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    buf[this.pos++] = rest
  }

  /** Shortest LEB128 of an unsigned 64-bit integer. */
  varintBig(value: bigint): void {
    if (typeof value !== 'bigint' || value < 0n || value > MAX_U64) misuse('a bigint from 0 to 2^64 - 1', value)
    if (value <= 0x1f_ffff_ffff_ffffn) {
      this.varint(Number(value))
      return
    }
    this.ensure(10)
    let rest = value
    while (rest > 0x7fn) {
      this.buf[this.pos++] = Number(rest & 0x7fn) | 0x80
      rest >>= 7n
    }
    this.buf[this.pos++] = Number(rest)
  }

  /** Bytes without a length. */
  raw(bytes: Uint8Array): void {
    const size = bytes.length
    this.ensure(size)
    this.buf.set(bytes, this.pos)
    this.pos += size
  }

  /** Exactly `size` bytes. */
  bytesN(bytes: Uint8Array, size: number): void {
    if (!(bytes instanceof Uint8Array) || bytes.length !== size) misuse(`${size} bytes`, bytes)
    this.ensure(size)
    this.buf.set(bytes, this.pos)
    this.pos += size
  }

  /** Length and bytes. */
  bytes(bytes: Uint8Array, maxBytes: number): void {
    if (!(bytes instanceof Uint8Array) || bytes.length > maxBytes) misuse(`at most ${maxBytes} bytes`, bytes)
    this.varint(bytes.length)
    this.raw(bytes)
  }

  /** Length and UTF-8 of a well-formed string. */
  string(text: string, maxBytes: number): void {
    if (typeof text !== 'string') misuse('a string', text)
    const units = text.length
    if (units <= SHORT_TEXT_UNITS) {
      this.ensure(1 + 3 * SHORT_TEXT_UNITS)
      const buf = this.buf
      const start = this.pos + 1
      let i = 0
      for (; i < units; i++) {
        const unit = text.charCodeAt(i)
        if (unit > 0x7f) break
        buf[start + i] = unit
      }
      let size = units
      if (i < units) {
        if (!wellFormed(text)) misuse('a string without lone surrogates', text)
        size = fast(buf).utf8Write(text, start, buf.length - start)
      }
      if (size > maxBytes) misuse(`at most ${maxBytes} bytes of UTF-8`, text)
      buf[this.pos] = size
      this.pos = start + size
      return
    }
    const size = Buffer.byteLength(text)
    if (size > maxBytes) misuse(`at most ${maxBytes} bytes of UTF-8`, text)
    if (size !== units && !wellFormed(text)) misuse('a string without lone surrogates', text)
    this.varint(size)
    this.ensure(size)
    if (size === units) fast(this.buf).latin1Write(text, this.pos, size)
    else fast(this.buf).utf8Write(text, this.pos, size)
    this.pos += size
  }

  /** Bytes of a latin1 string, one per character, without a length. */
  latin1(text: string): void {
    const size = text.length
    this.ensure(size)
    const buf = this.buf
    let pos = this.pos
    for (let i = 0; i < size; i++) {
      const unit = text.charCodeAt(i)
      if (unit > 0xff) misuse('a string of characters up to U+00FF', text)
      buf[pos++] = unit
    }
    this.pos = pos
  }

  /** Start a length-prefixed body of unknown size; pass the result to `endLength`. */
  beginLength(): number {
    this.ensure(1)
    return this.pos++
  }

  /** End the body begun at `start`: write its length before it, moving it if the length needs more than one byte. */
  endLength(start: number): void {
    const size = this.pos - start - 1
    if (size < 0x80) {
      this.buf[start] = size
      return
    }
    const prefix = size < 0x4000 ? 2 : size < 0x20_0000 ? 3 : 4
    this.ensure(prefix - 1)
    this.buf.copyWithin(start + prefix, start + 1, this.pos)
    this.pos = start
    this.varint(size)
    this.pos += size
  }

  /** View of the bytes written since `start`; valid until the next write. */
  since(start: number): Buffer {
    return viewOf(this.buf).subarray(start, this.pos)
  }
}
