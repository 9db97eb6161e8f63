/**
 * Owns the cost of accessing rows: by the bytes of the rows during execution, never by the content of a cache
 * (docs/design/hardening.md 4). One meter counts for an overlay and all of its forks, including discarded ones.
 */
import type { CodecContext } from '../codec/index.js'
import { type HeldRow, isAbsent, sizeOfHeld, valueOfHeld } from './held-row.js'
import type { RowReader } from './reader.js'
import type { RowKey, RowTable } from './table.js'

/** Units of the first read of a row, even if it does not exist. */
export const ROW_TOUCH_UNITS = 2
/**
 * Units of the first change of a row, including a deletion: hashing its key, its leaf and the path above it in the
 * state tree.
 */
export const ROW_CHANGE_UNITS = 30
/** Bytes of key and record per unit of reading or writing. */
export const READ_BYTES_PER_UNIT = 128
export const WRITE_BYTES_PER_UNIT = 32

/** Source of units; throws if they are exhausted. */
export interface Purse {
  take(units: number): void
}

/** Metered state of a row. */
export interface TouchedRow {
  /** Value below the metered overlay; undefined until it is read. */
  below: HeldRow | undefined
  isRead: boolean
  isChanged: boolean
  /** Units of the largest write of the row. */
  written: number
}

/** Units of the first read of a row. */
export const readUnits = (row: RowKey, size: number | undefined): number =>
  size === undefined ? ROW_TOUCH_UNITS : ROW_TOUCH_UNITS + Math.ceil((row.length + size) / READ_BYTES_PER_UNIT)
/** Units of a write, including all smaller ones of the same row. */
export const writeUnits = (row: RowKey, size: number): number => Math.ceil((row.length + size) / WRITE_BYTES_PER_UNIT)
/** Units of rewriting a row, in addition to the excess over its largest write, because it is encoded again. */
export const rewriteUnits = (row: RowKey, size: number): number => Math.ceil((row.length + size) / READ_BYTES_PER_UNIT)

/** Meter of the rows accessed by one transaction or run. */
export class RowMeter {
  private readonly rows = new Map<RowKey, TouchedRow>()

  /** @param context encoder of the records */
  constructor(
    private readonly purse: Purse,
    readonly context: CodecContext | undefined,
  ) {}

  /** Value of a row below the metered overlay. */
  valueBelow<V>(parent: RowReader, table: RowTable<V>, row: RowKey): V | undefined {
    return valueOfHeld(this.below(parent, row), table, this.context)
  }

  /** True if the row exists below the metered overlay. */
  existsBelow(parent: RowReader, row: RowKey): boolean {
    return !isAbsent(this.below(parent, row))
  }

  /** Charge the read of a row that was written above. */
  readAbove(row: RowKey, touched: TouchedRow, held: HeldRow): void {
    if (!touched.isRead) this.countRead(row, touched, held)
  }

  /** Charge the write of a record of this size. */
  write(row: RowKey, size: number): TouchedRow {
    const touched = this.touch(row)
    const units = writeUnits(row, size)
    const again = touched.written === 0 ? 0 : rewriteUnits(row, size)
    this.countChange(touched)
    const more = Math.max(0, units - touched.written)
    if (again + more > 0) this.purse.take(again + more)
    touched.written += more
    return touched
  }

  /** Charge the removal of a record. */
  delete(row: RowKey): TouchedRow {
    const touched = this.touch(row)
    this.countChange(touched)
    return touched
  }

  private countChange(touched: TouchedRow): void {
    if (touched.isChanged) return
    touched.isChanged = true
    this.purse.take(ROW_CHANGE_UNITS)
  }

  private below(parent: RowReader, row: RowKey): HeldRow {
    const touched = this.touch(row)
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
      touched = { below: undefined, isRead: false, isChanged: false, written: 0 }
      this.rows.set(row, touched)
    }
    return touched
  }
}
