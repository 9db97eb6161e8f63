/** Owns records whose changes act later: what acts at a height, what was decided last, folding what is due. */
import { list, type Schema, struct, varint } from '../codec/index.js'
import type { StateReader, StateWriter, TableDef } from '../state/index.js'

/** Changes that wait: a block decides for the height two on, so two heights can wait at most; one more is slack. */
const STAGED_MAX = 3

/** A value and the changes that wait for their height, ascending. */
export interface Staged<T> {
  readonly current: T
  readonly staged: readonly { readonly fromHeight: number; readonly value: T }[]
}

/** Schema of such a record. */
export const stagedSchema = <T>(name: string, value: Schema<T>): Schema<Staged<T>> =>
  struct(name, {
    current: value,
    staged: list(
      struct(`${name}Change`, { fromHeight: varint, value }) as Schema<Staged<T>['staged'][number]>,
      STAGED_MAX,
    ),
  }) as Schema<Staged<T>>

/** A key that says "the one row of this table". */
const ONLY = ''

/** The value that acts at a height; the fallback where nothing was ever decided. */
export function valueAt<T>(state: StateReader, table: TableDef<string, Staged<T>>, height: number, fallback: T): T {
  const row = state.get(table, ONLY)
  if (row === undefined) return fallback
  return row.staged.findLast((change) => change.fromHeight <= height)?.value ?? row.current
}

/** The value as it was decided last, whether it acts already or not: what the next decision starts from. */
export function latestValue<T>(state: StateReader, table: TableDef<string, Staged<T>>, fallback: T): T {
  const row = state.get(table, ONLY)
  return row === undefined ? fallback : (row.staged.at(-1)?.value ?? row.current)
}

/** Decides a value that acts from a height; `fromHeight` undefined: at once, as genesis does. */
export function stageValue<T>(
  state: StateWriter,
  table: TableDef<string, Staged<T>>,
  value: T,
  fromHeight: number | undefined,
  fallback: T,
): void {
  if (fromHeight === undefined) {
    state.set(table, ONLY, { current: value, staged: [] })
    return
  }
  const row = state.get(table, ONLY) ?? { current: fallback, staged: [] }
  const staged = row.staged.filter((change) => change.fromHeight < fromHeight)
  state.set(table, ONLY, { current: row.current, staged: [...staged, { fromHeight, value }] })
}

/** Makes what is due current; runs at the start of a block and writes only when something is due. */
export function foldDue<T>(state: StateWriter, table: TableDef<string, Staged<T>>, height: number): void {
  const row = state.get(table, ONLY)
  const due = row?.staged.findLast((change) => change.fromHeight <= height)
  if (row === undefined || due === undefined) return
  state.set(table, ONLY, { current: due.value, staged: row.staged.filter((change) => change.fromHeight > height) })
}
