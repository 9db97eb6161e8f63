/** Owns the comparison of byte strings, and views of them. */

/**
 * True if both byte strings are equal. Not constant time: for public values only; compare secrets with
 * `timingSafeEqual` of `node:crypto`.
 */
export const sameBytes = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && Buffer.compare(left, right) === 0

/** Buffer view of the same memory, for the fast string conversions of Buffer. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Direct form of `toString('latin1')`, present in every supported Node but absent from its types. */
interface Latin1Buffer extends Buffer {
  latin1Slice(start: number, end: number): string
}

/** Bytes as a binary (latin1) string, the form of map keys: one character per byte, so byte order is string order. */
export function binaryKey(bytes: Uint8Array): string {
  return (asBuffer(bytes) as Latin1Buffer).latin1Slice(0, bytes.length)
}
