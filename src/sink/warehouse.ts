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

/** An account with a definition, and an amount of it as a decimal. */
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

/** Table or view in a database under a name; a view with its statement if the database keeps it. */
export type Structure =
  | { readonly kind: 'table'; readonly columns: readonly string[] }
  | { readonly kind: 'view'; readonly statement?: string }

/** A database that is opened, for writing or to be read. Every method rejects with `sink_unavailable` while it does not answer. */
export interface Warehouse {
  /** Undefined: nothing was written yet. */
  cursor(): Promise<Cursor | undefined>
  /**
   * Add rows and move the cursor, all or nothing. `from`: expected height of the cursor, 0 for none. Throws
   * `sink_conflict` if it differs, because another process writes too.
   */
  write(rows: Rows, cursor: Cursor, from: number): Promise<void>
  /** Balances at the end of a height, by default the last, of those that ever had one. */
  balances(of: readonly Pick<Balance, 'account' | 'definition'>[], height?: number): Promise<readonly Balance[]>
  /** Supplies at the end of a height, by default the last, of those that ever had one. */
  supplies(of: readonly string[], height?: number): Promise<readonly Supply[]>
  /** Balances at the end of a height that are not zero, in the order of account and definition. */
  balancesAt(height: number): AsyncIterable<Balance>
  /** Supplies at the end of a height. */
  suppliesAt(height: number): Promise<readonly Supply[]>
  /** Hash of the block of a height, hex. */
  blockHash(height: number): Promise<string | undefined>
  /** Kind of a database object by name; undefined: none. */
  structure(name: string): Promise<Structure | undefined>
  /** Rows as the database gives them back when it holds them: `rowsBetween` and `rowOf` give such values. */
  asHeld(table: Table, rows: readonly Row[]): Promise<readonly Row[]>
  /** At most `limit` rows of blocks from a height to another. */
  rowsBetween(table: Table, from: number, to: number, limit: number): Promise<readonly Row[]>
  /** At most `limit` rows of heights that no written block has: below genesis, or above the cursor. */
  rowsOutside(table: Table, limit: number): Promise<readonly Row[]>
  /** The row of a key, given as the database holds it. */
  rowOf(table: Table, key: readonly Value[]): Promise<Row | undefined>
  close(): Promise<void>
}

/** The error of a database that does not answer. */
export const unavailable = (what: string, cause: unknown): LedgerError =>
  new LedgerError('sink_unavailable', `${what}: ${errorMessage(cause)}`, { cause })

/** Error for a cursor moved by another sink. */
export const movedCursor = (expected: number, found: number): LedgerError =>
  new LedgerError('sink_conflict', `the cursor is at block ${found}, not at ${expected}: another sink is writing here`)

/** The error of tables of a newer release. */
export const newerTables = (version: number, known: number): LedgerError =>
  new LedgerError('sink_conflict', `the tables have version ${version}, but this release supports ${known}`, {
    hint: 'Use the release that created them, or a newer one.',
  })
