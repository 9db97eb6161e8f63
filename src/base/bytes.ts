/** Owns the comparison of byte strings. */

/**
 * True if both byte strings have the same length and content. It takes less time the earlier they differ: for public values only, secrets
 * are compared with `timingSafeEqual` of `node:crypto`.
 */
export const sameBytes = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && Buffer.compare(left, right) === 0
