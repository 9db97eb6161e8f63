/** Owns which rows of a long list are on the screen: those around the chosen one. */

export interface Window<T> {
  readonly shown: readonly T[]
  /** Place of the first shown row. */
  readonly first: number
  /** Rows that are not shown. */
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
