/**
 * Owns bisection of a block for the transaction that makes execution throw, so that one faulty transaction does not
 * block the others.
 */

/**
 * Index of the first entry whose presence makes the execution throw, found by bisection.
 *
 * @param count number of entries in the block; the execution threw with all of them
 * @param attempt executes the given number of entries
 * @returns undefined if it throws without any entry, so that the state is at fault
 */
export function bisectFailingTransaction(count: number, attempt: (entries: number) => void): number | undefined {
  const throws = (entries: number): boolean => {
    try {
      attempt(entries)
      return false
    } catch {
      return true
    }
  }
  if (count === 0 || throws(0)) return undefined
  let good = 0
  let bad = count
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1
    if (throws(middle)) bad = middle
    else good = middle
  }
  return bad - 1
}
