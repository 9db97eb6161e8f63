/** Owns the database interface of the sink. */
import { errorMessage } from '../base/thrown.js'
import { LedgerError } from '../model/errors.js'
import type { Row, Table, Value } from './tables.js'

/** Position of a warehouse. */
export interface Cursor {
  readonly chain: string
  /** Hex. */
  readonly genesisHash: string
  readonly height: number
  /** Hash of the block of this height, hex. */
  readonly hash: string
  /** State for verifying the next block: a `ChainPlace` in hex. */
  readonly place: string
}

/** Rows by table. */
export type Rows = ReadonlyMap<Table, readonly Row[]>

/** Account and definition with an amount, as a decimal. */
export interface Balance {
  readonly account: string
  readonly definition: string
  readonly amount: string
}

/** Supply of a definition, as a decimal. */
export interface Supply {
  readonly definition: string
  readonly supply: string
}

/** Table or view with a given name in a database; a view with its statement if the database keeps it. */
export type Structure =
  | { readonly kind: 'table'; readonly columns: readonly string[] }
  | { readonly kind: 'view'; readonly statement?: string }

/** A database opened for writing or reading. Every method rejects with `sink_unavailable` while it does not respond. */
export interface Warehouse {
  /** Current position; undefined if nothing was written yet. */
  cursor(): Promise<Cursor | undefined>
  /**
   * Add rows and move the cursor, all or nothing. `from`: expected height of the cursor, 0 for none. Throws
   * `sink_conflict` if it differs, because another process writes too.
   */
  write(rows: Rows, cursor: Cursor, from: number): Promise<void>
  /** Balances at the end of a height, by default the last; accounts that never had a balance are omitted. */
  balances(of: readonly Pick<Balance, 'account' | 'definition'>[], height?: number): Promise<readonly Balance[]>
  /** Supplies at the end of a height, by default the last; definitions that never had a supply are omitted. */
  supplies(of: readonly string[], height?: number): Promise<readonly Supply[]>
  /** Non-zero balances at the end of a height, in the order of account and definition. */
  balancesAt(height: number): AsyncIterable<Balance>
  /** Supplies at the end of a height. */
  suppliesAt(height: number): Promise<readonly Supply[]>
  /** Hash of the block of a height, hex. */
  blockHash(height: number): Promise<string | undefined>
  /** Kind of a database object by name; undefined if there is none. */
  structure(name: string): Promise<Structure | undefined>
  /** Rows as the database returns them: the format of `rowsBetween` and `rowOf`. */
  asHeld(table: Table, rows: readonly Row[]): Promise<readonly Row[]>
  /** At most `limit` rows of blocks between two heights. */
  rowsBetween(table: Table, from: number, to: number, limit: number): Promise<readonly Row[]>
  /** At most `limit` rows of heights without a written block: below genesis, or above the cursor. */
  rowsOutside(table: Table, limit: number): Promise<readonly Row[]>
  /** Row of a key in the format of the database. */
  rowOf(table: Table, key: readonly Value[]): Promise<Row | undefined>
  close(): Promise<void>
}

/** Error of a database that does not respond. */
export const unavailable = (what: string, cause: unknown): LedgerError =>
  new LedgerError('sink_unavailable', `${what}: ${errorMessage(cause)}`, { cause })

/** Error for a cursor moved by another sink. */
export const movedCursor = (expected: number, found: number): LedgerError =>
  new LedgerError('sink_conflict', `the cursor is at block ${found}, not at ${expected}: another sink is writing here`)

/** Error for tables of a newer release. */
export const newerTables = (version: number, known: number): LedgerError =>
  new LedgerError('sink_conflict', `the tables have version ${version}, but this release supports ${known}`, {
    hint: 'Use the release that created them, or a newer one.',
  })
