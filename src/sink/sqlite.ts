/** Owns the warehouse in one file, for people without a database server. */
import { closeSync, openSync, statSync } from 'node:fs'
import Database from 'libsql'
import { errorCode } from '../base/thrown.js'
import { LedgerError } from '../model/errors.js'
import { GENESIS_HEIGHT } from '../model/index.js'
import { type Dialect, MIGRATIONS, quoted, versionsStatement } from './migrations.js'
import { type Column, type Row, supplies as supplyTable, type Table, type Value } from './tables.js'
import {
  type Balance,
  type Cursor,
  movedCursor,
  newerTables,
  type Structure,
  type Supply,
  unavailable,
  type Warehouse,
} from './warehouse.js'

/** SQLite dialect. It has no decimals, so amounts are texts and no digit is lost. */
export const SQLITE: Dialect = {
  types: { count: 'INTEGER', text: 'TEXT', amount: 'TEXT', time: 'TEXT', json: 'TEXT', flag: 'INTEGER' },
  prefix: '',
}

/** Mode of a file that only its owner may read, because payments are confidential. */
const OWNER_ONLY = 0o600
/** Maximum wait for a lock of another program, in ms. */
const BUSY_MS = 5_000

type Found = Readonly<Record<string, string | number | null>>

const rowOf = ({ columns }: Table, found: Found): Row => columns.map(({ name }) => found[name] ?? null)

const stored = (value: Value, { type }: Column): string | number | null =>
  type === 'flag' ? Number(value) : (value as string | number | null)

const insertOf = ({ name, columns }: Table): string =>
  `INSERT INTO ${quoted(name)} VALUES (${columns.map(() => '?').join(', ')})`

const balanceOf = (row: Found): Balance => ({
  account: String(row.account),
  definition: String(row.definition),
  amount: String(row.amount),
})
const supplyOf = (row: Found): Supply => ({
  definition: String(row.definition),
  supply: String(row.supply),
})

/**
 * Create a missing file that only its owner may read; the library would use the umask. The log beside it has the same
 * mode.
 */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY))
  } catch (error) {
    // An existing file keeps its mode.
    if (errorCode(error) !== 'EEXIST') throw unavailable(file, error)
  }
}

/** Throw `sink_unavailable` if the file is missing, since the library would create it. */
function checkFile(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) return
  throw new LedgerError('sink_unavailable', `cannot open ${file}: no such file`, {
    hint: 'Give a file written by `causeway sink sqlite`.',
  })
}

/**
 * Open a file; with `writes` the file and its tables are created if missing. Throws `sink_unavailable`,
 * `sink_conflict`.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the methods of one warehouse share its connection
export function openSqlite(file: string, { writes }: { readonly writes: boolean }): Warehouse {
  const guarded = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      if (error instanceof Error && error.name !== 'SqliteError') throw error
      throw unavailable(file, error)
    }
  }
  if (writes) makePrivate(file)
  else checkFile(file)
  const db = guarded(() => new Database(file, { timeout: BUSY_MS }))
  const all = (sql: string, ...values: readonly unknown[]): Found[] =>
    guarded(() => db.prepare(sql).all(...values) as Found[])
  const one = (sql: string, ...values: readonly unknown[]): Found | undefined => all(sql, ...values)[0]

  const migrate = (): void => {
    guarded(() => {
      // Readers continue while a batch is written; committed data survives a power failure.
      db.pragma('journal_mode = WAL')
      db.pragma('synchronous = FULL')
      db.exec(versionsStatement(SQLITE))
    })
    for (let at = versionNow(); at < MIGRATIONS.length; at++) {
      const statements = MIGRATIONS[at]?.(SQLITE) ?? []
      guarded(() => {
        db.exec('BEGIN IMMEDIATE')
        for (const statement of statements) db.exec(statement)
        db.exec(`INSERT INTO "sink_migrations" VALUES (${at + 1})`)
        db.exec('COMMIT')
      })
    }
  }
  const versionNow = (): number => {
    if (one(`SELECT 1 AS there FROM sqlite_master WHERE name = 'sink_migrations'`) === undefined) return 0
    return Number(one('SELECT max("version") AS version FROM "sink_migrations"')?.version ?? 0)
  }
  try {
    const version = versionNow()
    if (version > MIGRATIONS.length) throw newerTables(version, MIGRATIONS.length)
    if (writes) migrate()
    else if (version === 0) throw new LedgerError('sink_conflict', `${file}: no sink has written to it`)
  } catch (error) {
    db.close()
    throw error
  }

  const structureOf = (name: string): Structure | undefined => {
    const found = one(`SELECT type, sql FROM sqlite_master WHERE name = ? AND type IN ('table', 'view')`, name)
    if (found === undefined) return undefined
    if (found.type === 'view') return { kind: 'view', statement: String(found.sql) }
    const columns = all('SELECT name FROM pragma_table_info(?)', name)
    return { kind: 'table', columns: columns.map((column) => String(column.name)) }
  }

  const cursor = (): Cursor | undefined => {
    const row = one('SELECT * FROM "sink_cursor"')
    return row === undefined
      ? undefined
      : {
          chain: String(row.chain),
          genesisHash: String(row.genesis_hash),
          height: Number(row.height),
          hash: String(row.hash),
          place: String(row.place),
        }
  }

  return {
    cursor: async () => cursor(),
    async write(rows, next, from) {
      guarded(() => db.exec('BEGIN IMMEDIATE'))
      try {
        const found = cursor()?.height ?? 0
        if (found !== from) throw movedCursor(from, found)
        guarded(() => {
          for (const [table, added] of rows) {
            const insert = db.prepare(insertOf(table))
            for (const row of added) insert.run(...row.map((value, at) => stored(value, table.columns[at] as Column)))
          }
          db.prepare('INSERT OR REPLACE INTO "sink_cursor" VALUES (1, ?, ?, ?, ?, ?)').run(
            next.chain,
            next.genesisHash,
            next.height,
            next.hash,
            next.place,
          )
          db.exec('COMMIT')
        })
      } catch (error) {
        if (db.inTransaction) db.exec('ROLLBACK')
        throw error
      }
    },
    balances: async (of, height = Number.MAX_SAFE_INTEGER) => {
      const sql = `SELECT * FROM "balances_by_block" WHERE "account" = ? AND "definition" = ? AND "height" <= ?
  ORDER BY "height" DESC LIMIT 1`
      return of.flatMap(({ account, definition }) => all(sql, account, definition, height).map(balanceOf))
    },
    supplies: async (of, height = Number.MAX_SAFE_INTEGER) => {
      const sql = `SELECT * FROM ${quoted(supplyTable.name)} WHERE "definition" = ? AND "height" <= ?
  ORDER BY "height" DESC LIMIT 1`
      return of.flatMap((definition) => all(sql, definition, height).map(supplyOf))
    },
    async *balancesAt(height) {
      const rows = all(
        `SELECT b."account", b."definition", b."amount" FROM "balances_by_block" b WHERE b."height" =
  (SELECT max(n."height") FROM "balances_by_block" n WHERE n."account" = b."account" AND n."definition" = b."definition"
  AND n."height" <= ?) AND b."amount" <> '0' ORDER BY b."account", b."definition"`,
        height,
      )
      for (const row of rows) yield balanceOf(row)
    },
    suppliesAt: async (height) =>
      all(
        `SELECT s.* FROM ${quoted(supplyTable.name)} s WHERE s."height" = (SELECT max(n."height") FROM
  ${quoted(supplyTable.name)} n WHERE n."definition" = s."definition" AND n."height" <= ?)`,
        height,
      ).map(supplyOf),
    blockHash: async (height) =>
      one('SELECT "hash" FROM "blocks" WHERE "height" = ?', height)?.hash as string | undefined,
    structure: async (name) => structureOf(name),
    asHeld: async ({ columns }, rows) =>
      rows.map((row) => row.map((value, at) => stored(value, columns[at] as Column))),
    rowsBetween: async (table, from, to, limit) =>
      // A height may be a fraction here, whatever the type of its column.
      all(`SELECT * FROM ${quoted(table.name)} WHERE "height" >= ? AND "height" < ? LIMIT ?`, from, to + 1, limit).map(
        (found) => rowOf(table, found),
      ),
    rowsOutside: async (table, limit) =>
      all(
        `SELECT * FROM ${quoted(table.name)} WHERE "height" IS NULL OR "height" < ${GENESIS_HEIGHT}
  OR "height" >= (SELECT "height" + 1 FROM "sink_cursor") LIMIT ?`,
        limit,
      ).map((found) => rowOf(table, found)),
    rowOf: async (table, key) => {
      const where = table.key.map((name) => `${quoted(name)} = ?`).join(' AND ')
      return all(`SELECT * FROM ${quoted(table.name)} WHERE ${where}`, ...key).map((found) => rowOf(table, found))[0]
    },
    async close() {
      db.close()
    },
  }
}
