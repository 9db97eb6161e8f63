/**
 * Owns the decoded records in memory: a cache over the backend, bounded in bytes, and rows with a write in progress.
 */
import type { CodecContext } from '../codec/index.js'
import { GenerationCache } from '../crypto/generation-cache.js'
import type { StateView } from './backend.js'
import { ABSENT_ROW, type HeldRow, isAbsent, valueOfHeld } from './held-row.js'
import { rowDbKey, SPACE } from './key-space.js'
import type { RowReader, StateReader } from './reader.js'
import { type RowKey, type RowTable, rowKey, TABLE_ID_MAX, type TableDef, tableIdOf } from './table.js'

/** Last committed row: its bytes until the first read, then its value; always its size. */
const entryOf = (bytes: Buffer | undefined): HeldRow =>
  bytes === undefined ? ABSENT_ROW : { value: undefined, bytes, size: bytes.length, table: undefined }

/** Memory overhead of one entry: map slots, entry, buffer object, string header. */
const ENTRY_BYTES = 320
/** Memory overhead of a row that does not exist: key and map slots. */
const ABSENT_BYTES = 120
/** Heap bytes of a decoded value per encoded byte (a decoded transfer of 270 bytes takes 1.5 kB). */
const DECODED_FACTOR = 6

const weightOf = (row: RowKey, bytes: Buffer | undefined): number =>
  row.length + (bytes === undefined ? ABSENT_BYTES : ENTRY_BYTES + DECODED_FACTOR * bytes.length)

/**
 * Private copy: encoded values share pooled memory, which one long-lived view would pin as a whole. Short values, such
 * as balances, are stored within the object.
 */
function copied(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  copy.set(bytes)
  return copy
}

/** Committed rows: a read checks rows being written, then the cache, then the backend. */
export class RowCache implements StateReader, RowReader {
  /** Resolver of open enums in records. */
  context: CodecContext | undefined
  private readonly cache: GenerationCache<HeldRow>
  /**
   * Tables that may have rows, so that unused tables cost no reads. Undefined before `loadTables`: any table may have
   * rows.
   */
  private tables: Set<number> | undefined
  private readonly unwritten = new Map<RowKey, { stored: Buffer | undefined; entry: HeldRow }>()

  constructor(
    private readonly backend: Pick<StateView, 'getSync' | 'range'>,
    maxBytes: number,
  ) {
    this.cache = new GenerationCache(maxBytes, 'state_rows')
  }

  /** Load the tables that have rows; called before any is read. */
  async loadTables(): Promise<void> {
    const tables = new Set<number>()
    for (let next = 0; next <= TABLE_ID_MAX; ) {
      const gte = Buffer.of(SPACE.row, next >>> 8, next & 0xff)
      let found = TABLE_ID_MAX
      for await (const [key] of this.backend.range({ gte, lt: Buffer.of(SPACE.row + 1), limit: 1 })) {
        found = key.readUInt16BE(1)
        tables.add(found)
      }
      next = found + 1
    }
    this.tables = tables
  }

  /** Estimated bytes in the cache. */
  get cachedBytes(): number {
    return this.cache.weight
  }

  get<K, V>(table: TableDef<K, V>, key: K): V | undefined {
    return this.getRow(table, rowKey(table, key))
  }

  has<K, V>(table: TableDef<K, V>, key: K): boolean {
    return this.hasRow(rowKey(table, key))
  }

  getRow<V>(table: RowTable<V>, row: RowKey): V | undefined {
    return valueOfHeld(this.held(row), table, this.context)
  }

  hasRow(row: RowKey): boolean {
    return !isAbsent(this.held(row))
  }

  /** Stored bytes of a row. */
  bytesOf(row: RowKey): Buffer | undefined {
    const pending = this.unwritten.get(row)
    return pending === undefined ? this.backend.getSync(rowDbKey(row)) : pending.stored
  }

  /** Set the current bytes of a row; undefined deletes it. */
  replace(row: RowKey, bytes: Buffer | undefined): void {
    const stored = bytes === undefined ? undefined : copied(bytes)
    this.unwritten.set(row, { stored, entry: entryOf(stored) })
    if (stored !== undefined) this.tables?.add(tableIdOf(row))
  }

  /** Mark every replaced row as stored in the backend. */
  rowsWritten(): void {
    for (const [row, { stored, entry }] of this.unwritten) this.cache.set(row, entry, weightOf(row, stored))
    this.unwritten.clear()
  }

  held(row: RowKey): HeldRow {
    const held = this.unwritten.get(row)?.entry ?? this.cache.get(row)
    if (held !== undefined) return held
    if (this.tables?.has(tableIdOf(row)) === false) return ABSENT_ROW
    const bytes = this.backend.getSync(rowDbKey(row))
    const entry = entryOf(bytes)
    this.cache.set(row, entry, weightOf(row, bytes))
    return entry
  }
}
