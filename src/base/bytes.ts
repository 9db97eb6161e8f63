/** Owns the comparison of byte strings. */

/**
 * True if both byte strings are equal. Not constant time: for public values only; compare secrets with
 * `timingSafeEqual` of `node:crypto`.
 */
export const sameBytes = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && Buffer.compare(left, right) === 0
