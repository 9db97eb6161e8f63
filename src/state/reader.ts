/** Owns the interfaces through which execution and queries access the world state. */
import { ABSENT_ROW, type HeldRow } from './held-row.js'
import type { RowKey, RowTable, TableDef } from './table.js'

/** Reader of typed records. Returned records are shared and must not be modified. */
export interface StateReader {
  /** Record; undefined if it does not exist. */
  get<K, V>(table: TableDef<K, V>, key: K): V | undefined
  /** True if the record exists. */
  has<K, V>(table: TableDef<K, V>, key: K): boolean
}

/** Reader and writer of typed records. Written records must not be modified afterwards. */
export interface StateWriter extends StateReader {
  /** Create or replace the record. */
  set<K, V>(table: TableDef<K, V>, key: K, value: V): void
  /** Remove the record if it exists. */
  delete<K, V>(table: TableDef<K, V>, key: K): void
}

/** Reader over prebuilt keys. */
export interface RowReader {
  getRow<V>(table: RowTable<V>, row: RowKey): V | undefined
  hasRow(row: RowKey): boolean
  /** Row in the layer that has it; must not be modified. */
  held(row: RowKey): HeldRow
}

/** State without records: the parent of overlays in tests and of genesis. */
export const EMPTY_ROWS: RowReader = { getRow: () => undefined, hasRow: () => false, held: () => ABSENT_ROW }
