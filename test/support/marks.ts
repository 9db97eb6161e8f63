/** Owns voting marks in memory for tests. */
import type { VotedMarks } from '../../src/storage/index.js'

export function memoryMarks(): VotedMarks {
  let made = false
  return {
    has: async () => made,
    // Keys of these tests vote with one data directory only.
    each: async () => [],
    make: async () => {
      made = true
    },
    check: async () => undefined,
  }
}
