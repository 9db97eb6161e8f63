/** Owns the interfaces through which execution and queries see the world state. */
import { ABSENT_ROW, type HeldRow } from './held-row.js'
import type { RowKey, RowTable, TableDef } from './table.js'

/** Reader of typed records. Returned records are shared and must not be modified. */
export interface StateReader {
  /** The record, or undefined when there is none. */
  get<K, V>(table: TableDef<K, V>, key: K): V | undefined
  /** True when the record exists. */
  has<K, V>(table: TableDef<K, V>, key: K): boolean
}

/** Reader and writer of typed records. Written records must not be modified afterwards. */
export interface StateWriter extends StateReader {
  /** Creates or replaces the record. */
  set<K, V>(table: TableDef<K, V>, key: K, value: V): void
  /** Removes the record, if there is one. */
  delete<K, V>(table: TableDef<K, V>, key: K): void
}

/** The same over keys that were built before. */
export interface RowReader {
  getRow<V>(table: RowTable<V>, row: RowKey): V | undefined
  hasRow(row: RowKey): boolean
  /** The row as the layer holds it that it stands in; what it is not to be changed by. */
  held(row: RowKey): HeldRow
}

/** A state without records: the parent of overlays in tests and of genesis. */
export const EMPTY_ROWS: RowReader = { getRow: () => undefined, hasRow: () => false, held: () => ABSENT_ROW }
