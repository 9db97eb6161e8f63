/** Owns uncommitted changes: nested overlays (block, transaction, trigger) over an unchanged state. */
import type { HeldRow } from './held-row.js'
import type { RowReader, StateWriter } from './reader.js'
import type { RowMeter, TouchedRow } from './row-meter.js'
import { type RowKey, type RowTable, rowKey, type TableDef } from './table.js'

/** Row that was set or deleted in this layer. */
interface Change extends HeldRow {
  readonly table: RowTable<unknown>
  /** Metered state of the row at the time of the change. */
  readonly touched: TouchedRow | undefined
}

/** Changed row; a value of undefined deletes it. */
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
  /** True for the overlay that a meter was assigned to: reads below it are charged once. */
  private readonly isMeterRoot: boolean

  /**
   * @param parent underlying overlay or committed state
   * @param meter counts reads and writes of this overlay and its forks
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
    // The table is part of the row key, so a value under it has the table's type.
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
    // The state tree reuses the encoding that is metered.
    const bytes = meter === undefined ? undefined : table.value.encode(value, meter.context)
    const touched = bytes && meter?.write(row, bytes.length)
    this.changed.set(row, { table, value, bytes, size: bytes?.length, touched })
  }

  deleteRow(table: RowTable<unknown>, row: RowKey): void {
    this.assertOpen()
    const touched = this.meter?.delete(row)
    this.changed.set(row, { table, value: undefined, bytes: undefined, size: undefined, touched })
  }

  /**
   * Overlay on top of this one, which it changes only through `merge`. Its accesses are counted by this meter, or by
   * its own.
   */
  fork(meter = this.meter): Overlay {
    this.assertOpen()
    return new Overlay(this, meter)
  }

  /** Move the changes into the parent overlay and end this one. */
  merge(): void {
    this.assertOpen()
    if (!(this.parent instanceof Overlay)) throw new Error('only an overlay on an overlay can be merged')
    this.parent.absorb(this.changed)
    this.discard()
  }

  /** Discard the changes and end this overlay. */
  discard(): void {
    this.closed = true
    this.changed = new Map()
  }

  /** Changed rows in byte order of their keys. */
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
