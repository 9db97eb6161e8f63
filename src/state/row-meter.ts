/**
 * Owns what touching rows costs: by the bytes of the rows as execution sees them, never by what a cache holds
 * (design/hardening.md 4). One meter counts for an overlay and all of its forks, those that are discarded too.
 */
import type { CodecContext } from '../codec/index.js'
import { type HeldRow, isAbsent, sizeOfHeld } from './held-row.js'
import type { RowReader } from './reader.js'
import type { RowKey, RowTable } from './table.js'

/** Units of the first read of a row, of a read that finds none, and of a deletion. */
export const ROW_TOUCH_UNITS = 2
/** Bytes of key and record that one unit reads and writes. */
export const READ_BYTES_PER_UNIT = 128
export const WRITE_BYTES_PER_UNIT = 32

/** Where the units are taken from; it throws when there are none left. */
export interface Purse {
  take(units: number): void
}

/** A row as one meter knows it. */
export interface TouchedRow {
  /** As it stands below the metered overlay; undefined until it is read there. */
  below: HeldRow | undefined
  isRead: boolean
  /** Units of its largest write. */
  written: number
}

/** Units of the first read of a row. */
export const readUnits = (row: RowKey, size: number | undefined): number =>
  size === undefined ? ROW_TOUCH_UNITS : ROW_TOUCH_UNITS + Math.ceil((row.length + size) / READ_BYTES_PER_UNIT)
/** Units of a write, all smaller ones of the same row included. */
export const writeUnits = (row: RowKey, size: number): number => Math.ceil((row.length + size) / WRITE_BYTES_PER_UNIT)
/** Units of writing a row once more, beside what it exceeds its largest write by: it is encoded again. */
export const rewriteUnits = (row: RowKey, size: number): number => Math.ceil((row.length + size) / READ_BYTES_PER_UNIT)

/** Counts what one transaction or one run touches. */
export class RowMeter {
  private readonly rows = new Map<RowKey, TouchedRow>()

  /** @param context encodes the records */
  constructor(
    private readonly purse: Purse,
    readonly context: CodecContext | undefined,
  ) {}

  /** The value of a row below the metered overlay. */
  valueBelow<V>(parent: RowReader, table: RowTable<V>, row: RowKey): V | undefined {
    const touched = this.touch(row)
    const held = this.below(parent, row, touched)
    if (held.value !== undefined || held.bytes === undefined) return held.value as V | undefined
    const value = parent.getRow(table, row)
    // Kept here: what is read again is not decoded again, however little a cache holds.
    touched.below = { ...held, value }
    return value
  }

  /** Whether there is such a row below the metered overlay. */
  existsBelow(parent: RowReader, row: RowKey): boolean {
    return !isAbsent(this.below(parent, row, this.touch(row)))
  }

  /** A row that was written above is read. */
  readAbove(row: RowKey, touched: TouchedRow, held: HeldRow): void {
    if (!touched.isRead) this.countRead(row, touched, held)
  }

  /** A record of so many bytes is written. */
  write(row: RowKey, size: number): TouchedRow {
    const touched = this.touch(row)
    const units = writeUnits(row, size)
    const again = touched.written === 0 ? 0 : rewriteUnits(row, size)
    const more = Math.max(0, units - touched.written)
    if (again + more > 0) this.purse.take(again + more)
    touched.written += more
    return touched
  }

  delete(row: RowKey): TouchedRow {
    this.purse.take(ROW_TOUCH_UNITS)
    return this.touch(row)
  }

  private below(parent: RowReader, row: RowKey, touched: TouchedRow): HeldRow {
    touched.below ??= parent.held(row)
    if (!touched.isRead) this.countRead(row, touched, touched.below)
    return touched.below
  }

  private countRead(row: RowKey, touched: TouchedRow, held: HeldRow): void {
    this.purse.take(readUnits(row, sizeOfHeld(held, this.context)))
    touched.isRead = true
  }

  private touch(row: RowKey): TouchedRow {
    let touched = this.rows.get(row)
    if (touched === undefined) {
      touched = { below: undefined, isRead: false, written: 0 }
      this.rows.set(row, touched)
    }
    return touched
  }
}
