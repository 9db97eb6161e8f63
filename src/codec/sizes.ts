/** Owns the sizes of lengths and counts: the encoded size that results from a bound on content. */

/** Bytes of an integer up to 2^53 - 1 as shortest LEB128. */
export function varintSize(value: number): number {
  let size = 1
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size += 1
  return size
}

/** Bytes of content with its length before it. */
export const prefixedSize = (content: number): number =>
  Number.isFinite(content) ? varintSize(content) + content : content
