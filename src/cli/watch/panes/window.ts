/** Owns the visible window of a long list, around the selected row. */

export interface Window<T> {
  readonly shown: readonly T[]
  /** Index of the first shown row. */
  readonly first: number
  /** Number of hidden rows above. */
  readonly above: number
  readonly below: number
}

/** Window of rows for a number of lines; one line counts the hidden rows if not all fit. */
export function windowed<T>(rows: readonly T[], selected: number, height: number): Window<T> {
  if (rows.length <= height) return { shown: rows, first: 0, above: 0, below: 0 }
  const room = Math.max(1, height - 1)
  const first = Math.max(0, Math.min(selected - room + 1, rows.length - room))
  const shown = rows.slice(first, first + room)
  return { shown, first, above: first, below: rows.length - first - shown.length }
}
