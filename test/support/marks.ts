/** Owns marks of having voted that tests keep in memory. */
import type { VotedMarks } from '../../src/storage/index.js'

export function memoryMarks(): VotedMarks {
  let made = false
  return {
    has: async () => made,
    // Keys of these tests vote with one data directory alone.
    each: async () => [],
    make: async () => {
      made = true
    },
    check: async () => undefined,
  }
}
