/** Owns typed tables and the format of their row keys. */

import { binaryKey } from '../base/bytes.js'
import { type Schema, Writer } from '../codec/index.js'

/** Bound and removal of the rows of a table, as text for the page of limits. */
export interface TableBound {
  /** Maximum content of one row. */
  readonly holds: string
  /** Writers of rows. */
  readonly filledBy: string
  /** Behaviour when a row is full, and conditions that remove rows. */
  readonly atBound: string
}

/** Typed table of the world state. Its id is part of every row key, so ids are append-only and never reused. */
export interface TableDef<K, V> {
  /** Table id, 0 to 65535, unique among all features. */
  readonly id: number
  readonly name: string
  readonly bound: TableBound
  readonly key: Schema<K>
  readonly value: Schema<V>
}

/** Part of a table for reading and writing rows with a prebuilt key. */
export type RowTable<V> = Pick<TableDef<unknown, V>, 'name' | 'value'>

/**
 * Row key: the bytes of the u16 big-endian table id and the encoded key, as a latin1 string (one character per byte, so
 * string order is byte order). Build it once and pass it on: building costs more than a cached read.
 */
export type RowKey = string

// Never held across a call that could build another key: the schema of a key only writes.
const scratch = new Writer(256)

/** Last two keys requested from a table; a row is usually read just before it is written. */
interface LastKeys {
  key: unknown
  row: RowKey
  otherKey: unknown
  otherRow: RowKey
}
const lastKeys = new WeakMap<object, LastKeys>()
/** Marker of an empty slot. */
const NONE = {}

/** Row key of a record. Throws if the key does not match its schema. Keys are immutable values. */
export function rowKey<K>(table: Pick<TableDef<K, unknown>, 'id' | 'key'>, key: K): RowKey {
  const last = lastKeys.get(table)
  if (last !== undefined) {
    if (last.key === key) return last.row
    if (last.otherKey === key) return last.otherRow
  }
  const row = builtKey(table, key)
  if (key instanceof Uint8Array) return row
  if (last === undefined) lastKeys.set(table, { key, row, otherKey: NONE, otherRow: '' })
  else {
    last.otherKey = last.key
    last.otherRow = last.row
    last.key = key
    last.row = row
  }
  return row
}

function builtKey<K>(table: Pick<TableDef<K, unknown>, 'id' | 'key'>, key: K): RowKey {
  scratch.pos = 0
  scratch.depth = 0
  scratch.u8(table.id >>> 8)
  scratch.u8(table.id & 0xff)
  table.key.write(scratch, key)
  return binaryKey(scratch.since(0))
}

/** Size of the table id at the start of a row key. */
export const TABLE_ID_BYTES = 2

/** Maximum table id. */
export const TABLE_ID_MAX = 0xffff

/** Id of the table of a row. */
export const tableIdOf = (row: RowKey): number => (row.charCodeAt(0) << 8) | row.charCodeAt(1)

/** Bytes of a row key, as hashed by the state tree. */
export const rowKeyBytes = (row: RowKey): Buffer => Buffer.from(row, 'latin1')
