/** Owns what the sink asks of a database. */
import { LedgerError } from '../model/errors.js'
import type { Row, Table } from './tables.js'

/** Where a warehouse is. */
export interface Cursor {
  readonly chain: string
  /** Hex. */
  readonly genesisHash: string
  readonly height: number
  /** Hash of the block of this height, hex. */
  readonly hash: string
  /** What the next block is verified against: a `ChainPlace` in hex. */
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

/** A database that is opened for writing. Every method rejects with `sink_unavailable` while it does not answer. */
export interface Warehouse {
  /** Undefined: nothing was written yet. */
  cursor(): Promise<Cursor | undefined>
  /**
   * Adds rows and moves the cursor, all or nothing. `from`: the height that the cursor has to be at, 0 for none. Throws
   * `sink_conflict` where it is elsewhere: somebody else writes too.
   */
  write(rows: Rows, cursor: Cursor, from: number): Promise<void>
  /** Balances at the end of a height, by default the last, of those that ever had one. */
  balances(of: readonly Pick<Balance, 'account' | 'definition'>[], height?: number): Promise<readonly Balance[]>
  /** Supplies now, of those that have one. */
  supplies(of: readonly string[]): Promise<readonly Supply[]>
  /** Balances at the end of a height that are not zero, in the order of account and definition. */
  balancesAt(height: number): AsyncIterable<Balance>
  /** Supplies at the end of a height. */
  suppliesAt(height: number): Promise<readonly Supply[]>
  /** Hash of the block of a height, hex. */
  blockHash(height: number): Promise<string | undefined>
  /** Rows of a table, for reports. */
  count(table: Table): Promise<number>
  close(): Promise<void>
}

/** The error of a database that does not answer. */
export const unavailable = (what: string, cause: unknown): LedgerError =>
  new LedgerError('sink_unavailable', `${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })

/** The error of a cursor that somebody else moved. */
export const movedCursor = (expected: number, found: number): LedgerError =>
  new LedgerError('sink_conflict', `the cursor is at block ${found}, not at ${expected}: another sink writes here`)

/** The error of tables of a newer release. */
export const newerTables = (version: number, known: number): LedgerError =>
  new LedgerError('sink_conflict', `the tables are of version ${version}; this release knows ${known}`, {
    hint: 'Use the release that made them, or a newer one.',
  })
