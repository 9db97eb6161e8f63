/** Owns selections from short lists. */

/** Selections of `count` items, in the order of the list. */
export function combinations<T>(items: readonly T[], count: number): T[][] {
  if (count === 0) return [[]]
  return items.flatMap((item, at) => combinations(items.slice(at + 1), count - 1).map((others) => [item, ...others]))
}

/** Selections of at least `least` items. */
export const selections = <T>(items: readonly T[], least: number): T[][] =>
  Array.from({ length: Math.max(0, items.length - Math.max(least, 0) + 1) }, (_, more) => more).flatMap((more) =>
    combinations(items, Math.max(least, 0) + more),
  )

/** All permutations of the items. */
export function orders<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, at) =>
    orders([...items.slice(0, at), ...items.slice(at + 1)]).map((rest) => [item, ...rest]),
  )
}
