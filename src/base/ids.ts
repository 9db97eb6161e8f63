/** Owns the short form of long ids (addresses, keys, hashes): their first and last characters. */

const HEAD = 8
const TAIL = 6

/** Shorten an id to its first and last characters, unless that would not make it shorter. */
export const shortId = (id: string): string =>
  id.length <= HEAD + TAIL + 1 ? id : `${id.slice(0, HEAD)}…${id.slice(-TAIL)}`
