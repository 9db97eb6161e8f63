/** Owns signer bitmaps over a committee: bit i, least significant first, is the member at position i. */

/** Bytes of a bitmap over `members`. */
export const bitmapBytes = (members: number): number => Math.ceil(members / 8)

/** Bitmap with the given positions set. */
export function bitmapOf(members: number, positions: Iterable<number>): Buffer {
  const bitmap = Buffer.alloc(bitmapBytes(members))
  for (const position of positions) bitmap[position >> 3] = (bitmap[position >> 3] ?? 0) | (1 << (position & 7))
  return bitmap
}

/** Set positions of a bitmap of any length, in ascending order. */
export function setPositions(bitmap: Uint8Array): number[] {
  const positions: number[] = []
  for (let position = 0; position < bitmap.length * 8; position++) {
    if (((bitmap[position >> 3] ?? 0) & (1 << (position & 7))) !== 0) positions.push(position)
  }
  return positions
}

/** Set positions over `members`; undefined when the length is wrong or a padding bit is set. */
export function positionsOf(bitmap: Uint8Array, members: number): number[] | undefined {
  if (bitmap.length !== bitmapBytes(members)) return undefined
  const positions = setPositions(bitmap)
  return (positions.at(-1) ?? -1) < members ? positions : undefined
}
