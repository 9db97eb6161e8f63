/** Owns UTF-8 and byte order: validation without decoding, comparison as bytes, views. */

/** Buffer methods of Node that its types omit. */
interface FastBuffer extends Buffer {
  latin1Slice(start: number, end: number): string
  utf8Slice(start: number, end: number): string
  hexSlice(start: number, end: number): string
  latin1Write(text: string, offset: number, length: number): number
  utf8Write(text: string, offset: number, length: number): number
}

/** The same buffer with the undocumented fast methods typed. */
export const fast = (buffer: Buffer): FastBuffer => buffer as FastBuffer

/** Buffer view of the same memory. */
export const viewOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** True if a string has no lone surrogate, and therefore a UTF-8 form. */
export const wellFormed = (text: string): boolean => (text as string & { isWellFormed(): boolean }).isWellFormed()

/** First position in [start, end) that is not ASCII, or `end`. */
export function asciiEnd(buffer: Uint8Array, start: number, end: number): number {
  let pos = start
  while (pos < end && buffer[pos]! < 0x80) pos++
  return pos
}

/** Position of the first byte that violates UTF-8 (RFC 3629: shortest form, no surrogates, at most U+10FFFF), or -1. */
export function utf8Fault(buffer: Uint8Array, start: number, end: number): number {
  let pos = start
  while (pos < end) {
    const lead = buffer[pos]!
    if (lead < 0x80) {
      pos++
      continue
    }
    let extra: number
    let low = 0x80
    let high = 0xbf
    if (lead >= 0xc2 && lead <= 0xdf) extra = 1
    else if (lead >= 0xe0 && lead <= 0xef) {
      extra = 2
      if (lead === 0xe0) low = 0xa0
      else if (lead === 0xed) high = 0x9f
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      extra = 3
      if (lead === 0xf0) low = 0x90
      else if (lead === 0xf4) high = 0x8f
    } else return pos
    if (pos + extra >= end) return pos
    const second = buffer[pos + 1]!
    if (second < low || second > high) return pos
    for (let i = 2; i <= extra; i++) if ((buffer[pos + i]! & 0xc0) !== 0x80) return pos
    pos += extra + 1
  }
  return -1
}

/** Order of two byte strings as unsigned bytes, a prefix first: negative, 0 or positive. */
export const compareBytes = (a: Uint8Array, b: Uint8Array): number => Buffer.compare(a, b)

/** Order of two strings by their UTF-8 bytes; `<` would order by UTF-16 units, which differs beyond U+FFFF. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    // Surrogates encode code points above all others, but their units are below U+E000 to U+FFFF.
    const xHigh = (x & 0xf800) === 0xd800
    const yHigh = (y & 0xf800) === 0xd800
    return xHigh === yHigh ? x - y : xHigh ? 1 : -1
  }
  return a.length - b.length
}
