/** Owns the suggestions for misspelt words: configuration keys, commands. */

/** Maximum edit distance of a misspelling, as a share of the length: two fifths. */
const FAR = { parts: 2, of: 5 } as const

function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const swap = row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[right.length]!
}

const isNear = (candidate: string, steps: number): boolean =>
  steps <= Math.max(1, Math.floor((candidate.length * FAR.parts) / FAR.of))

/** Closest known word, or undefined if none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const steps = distance(word.toLowerCase(), candidate.toLowerCase())
    if (steps < least) {
      least = steps
      best = candidate
    }
  }
  return best !== undefined && isNear(best, least) ? best : undefined
}

/** Minimum length of a text that is searched for inside of known words, in characters. */
const PART_MIN = 3

/** Known words that are similar to the text or contain it, closest first, at most `max`. */
export function closeMatches(word: string, known: readonly string[], max: number): readonly string[] {
  const text = word.toLowerCase()
  return known
    .map((candidate) => ({ candidate, steps: distance(text, candidate.toLowerCase()) }))
    .filter(
      ({ candidate, steps }) =>
        isNear(candidate, steps) || (text.length >= PART_MIN && candidate.toLowerCase().includes(text)),
    )
    .toSorted((left, right) => left.steps - right.steps)
    .slice(0, max)
    .map(({ candidate }) => candidate)
}
