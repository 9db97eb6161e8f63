/** Owns uncommitted changes: nested overlays (block, transaction, trigger) over a state that stays untouched. */
import type { HeldRow } from './held-row.js'
import type { RowReader, StateWriter } from './reader.js'
import type { RowMeter, TouchedRow } from './row-meter.js'
import { type RowKey, type RowTable, rowKey, type TableDef } from './table.js'

/** A row that was set or deleted here, whatever stands below. */
interface Change extends HeldRow {
  readonly table: RowTable<unknown>
  /** As the meter knows it that it was changed under. */
  readonly touched: TouchedRow | undefined
}

/** One changed row; a value of undefined deletes it. */
export interface RowChange {
  readonly row: RowKey
  readonly table: RowTable<unknown>
  readonly value: unknown
  readonly held: HeldRow
}

/** Changes on top of a parent. Reads fall through to the parent; deletions hide its rows. */
export class Overlay implements StateWriter, RowReader {
  private changed = new Map<RowKey, Change>()
  private closed = false
  /** True for the overlay that a meter was given to: what is read below it is read once. */
  private readonly isMeterRoot: boolean

  /**
   * @param parent what the changes stand on: another overlay, or a committed state
   * @param meter counts what is read and written here and in the forks
   */
  constructor(
    readonly parent: RowReader,
    private readonly meter?: RowMeter,
  ) {
    this.isMeterRoot = meter !== undefined && !(parent instanceof Overlay && parent.meter === meter)
  }

  /** Number of changed rows. */
  get size(): number {
    return this.changed.size
  }

  get<K, V>(table: TableDef<K, V>, key: K): V | undefined {
    return this.getRow(table, rowKey(table, key))
  }

  has<K, V>(table: TableDef<K, V>, key: K): boolean {
    return this.hasRow(rowKey(table, key))
  }

  set<K, V>(table: TableDef<K, V>, key: K, value: V): void {
    this.setRow(table, rowKey(table, key), value)
  }

  delete<K, V>(table: TableDef<K, V>, key: K): void {
    this.deleteRow(table, rowKey(table, key))
  }

  getRow<V>(table: RowTable<V>, row: RowKey): V | undefined {
    this.assertOpen()
    const own = this.changed.get(row)
    if (own === undefined) {
      return this.isMeterRoot
        ? (this.meter as RowMeter).valueBelow(this.parent, table, row)
        : this.parent.getRow(table, row)
    }
    if (own.touched !== undefined) this.meter?.readAbove(row, own.touched, own)
    // The table of a row is part of its key, so the type of what was set under it is the table's.
    return own.value as V | undefined
  }

  hasRow(row: RowKey): boolean {
    this.assertOpen()
    const own = this.changed.get(row)
    if (own === undefined) {
      return this.isMeterRoot ? (this.meter as RowMeter).existsBelow(this.parent, row) : this.parent.hasRow(row)
    }
    if (own.touched !== undefined) this.meter?.readAbove(row, own.touched, own)
    return own.value !== undefined
  }

  held(row: RowKey): HeldRow {
    this.assertOpen()
    return this.changed.get(row) ?? this.parent.held(row)
  }

  setRow<V>(table: RowTable<V>, row: RowKey, value: V): void {
    this.assertOpen()
    if (value === undefined) throw new Error(`table ${table.name}: a record cannot be undefined`)
    const { meter } = this
    // The encoding that is metered is the one that the state tree gets.
    const bytes = meter === undefined ? undefined : table.value.encode(value, meter.context)
    const touched = bytes && meter?.write(row, bytes.length)
    this.changed.set(row, { table, value, bytes, size: bytes?.length, touched })
  }

  deleteRow(table: RowTable<unknown>, row: RowKey): void {
    this.assertOpen()
    const touched = this.meter?.delete(row)
    this.changed.set(row, { table, value: undefined, bytes: undefined, size: undefined, touched })
  }

  /** An overlay on top of this one; it changes this one only by `merge`. What it touches is counted here, or by a meter of its own. */
  fork(meter = this.meter): Overlay {
    this.assertOpen()
    return new Overlay(this, meter)
  }

  /** Moves the changes into the parent overlay and ends this one. */
  merge(): void {
    this.assertOpen()
    if (!(this.parent instanceof Overlay)) throw new Error('only an overlay on an overlay can be merged')
    this.parent.absorb(this.changed)
    this.discard()
  }

  /** Drops the changes and ends this overlay. */
  discard(): void {
    this.closed = true
    this.changed = new Map()
  }

  /** The changed rows in byte order of their keys. */
  changes(): RowChange[] {
    this.assertOpen()
    // Default order of strings is by UTF-16 unit, which is byte order for latin1 keys.
    const rows = [...this.changed.keys()].sort()
    return rows.map((row) => {
      const change = this.changed.get(row)!
      return { row, table: change.table, value: change.value, held: change }
    })
  }

  private absorb(changes: Map<RowKey, Change>): void {
    this.assertOpen()
    if (this.changed.size === 0) {
      this.changed = changes
      return
    }
    for (const row of changes.keys()) this.changed.set(row, changes.get(row)!)
  }

  private assertOpen(): void {
    if (this.closed) throw new Error('the overlay was merged or discarded')
  }
}
