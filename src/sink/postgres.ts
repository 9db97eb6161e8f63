/** Owns the warehouse in PostgreSQL: one connection, one transaction per batch, one sink per schema. */
import { DatabaseError } from 'pg'
import { sleep } from '../base/sleep.js'
import { LedgerError } from '../model/errors.js'
import { GENESIS_HEIGHT } from '../model/index.js'
import { type Dialect, MIGRATIONS, quoted, versionsStatement } from './migrations.js'
import { type Found, linkPostgres, type PostgresAddress } from './postgres-link.js'
import type { ColumnType, Row, Table } from './tables.js'
import {
  type Balance,
  type Cursor,
  movedCursor,
  newerTables,
  type Supply,
  unavailable,
  type Warehouse,
} from './warehouse.js'

/** Types of columns. */
const TYPES: Readonly<Record<ColumnType, string>> = {
  count: 'bigint',
  text: 'text',
  amount: 'numeric',
  time: 'timestamptz',
  json: 'jsonb',
  flag: 'boolean',
}

/** PostgreSQL with its tables in a schema. */
export const postgresDialect = (schema: string): Dialect => ({ types: TYPES, prefix: `${quoted(schema)}.` })

/** Number of checks whether another sink has ended, and the pause between them in ms: five seconds in total. */
const LOCK_TRIES = 10
const LOCK_PAUSE_MS = 500
/** Balances per request. */
const PAGE = 5_000
/** Error code of the server for a role that may not create a schema. */
const DENIED = '42501'

/** Access to a database. */
export interface PostgresPlace extends PostgresAddress {
  readonly schema: string
  /** False for read-only access beside a sink that writes. */
  readonly writes: boolean
}

const balanceOf = ({ account = '', definition = '', amount = '' }: Found): Balance => ({ account, definition, amount })
const supplyOf = ({ definition = '', supply = '' }: Found): Supply => ({ definition, supply })

const insertOf = ({ name, columns }: Table, prefix: string): string => {
  const casts = columns.map(({ type }, at) => `c${at}::${TYPES[type]}`).join(', ')
  const arrays = columns.map((_, at) => `$${at + 1}::text[]`).join(', ')
  const names = columns.map((_, at) => `c${at}`).join(', ')
  return `INSERT INTO ${prefix}${quoted(name)} SELECT ${casts} FROM unnest(${arrays}) AS rows(${names})`
}

/** Rows as one array of texts per column. */
const columnsOf = ({ columns }: Table, rows: readonly Row[]): (string | null)[][] =>
  columns.map((_, at) => rows.map((row) => (row[at] === null || row[at] === undefined ? null : String(row[at]))))

/** Amount in the form of the ledger; PostgreSQL keeps the trailing zero of `1.50`. */
const plainAmount = (column: string): string => `trim_scale(${column})::text`

/** Columns as texts in the format of the database. */
const texts = ({ columns }: Table): string => columns.map(({ name }) => `${quoted(name)}::text`).join(', ')

/** Open a database, and create its tables if there are none. Throws `sink_unavailable`, `sink_conflict`, `usage`. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the methods of one warehouse share its connection
export async function openPostgres(at: PostgresPlace, signal: AbortSignal): Promise<Warehouse> {
  const { schema, writes } = at
  const { place, query, rows, transaction, close } = await linkPostgres(at, signal)
  const dialect = postgresDialect(schema)
  const { prefix } = dialect

  const versionNow = async (): Promise<number> => {
    const [there] = await query('SELECT to_regclass($1)::text AS name', [`${prefix}"sink_migrations"`])
    if (there?.name === null || there?.name === undefined) return 0
    const [row] = await query(`SELECT coalesce(max("version"), 0)::text AS version FROM ${prefix}"sink_migrations"`)
    return Number(row?.version)
  }

  /** True if this session is the only writer of the schema. */
  const isAlone = async (): Promise<boolean> => {
    const sql = 'SELECT pg_try_advisory_lock(hashtextextended($1, 0))::text AS held'
    const [lock] = await query(sql, [`causeway sink ${schema}`])
    return lock?.held === 'true'
  }

  const migrate = async (): Promise<void> => {
    const version = await versionNow()
    if (version > MIGRATIONS.length) throw newerTables(version, MIGRATIONS.length)
    if (version === MIGRATIONS.length) return
    await transaction(async () => {
      const [there] = await query('SELECT to_regnamespace($1)::text AS name', [quoted(schema)])
      // A role that may not create schemas needs one created by an administrator.
      if (there?.name === null) await query(`CREATE SCHEMA ${quoted(schema)}`)
      await query(versionsStatement(dialect))
      for (let at = version; at < MIGRATIONS.length; at++) {
        for (const statement of MIGRATIONS[at]?.(dialect) ?? []) await query(statement)
        await query(`INSERT INTO ${prefix}"sink_migrations" VALUES (${at + 1})`)
      }
    })
  }

  try {
    if (writes) {
      // The session of a killed sink ends when the server notices.
      for (let tries = 0; !(await isAlone()); tries++) {
        if (tries === LOCK_TRIES) {
          throw new LedgerError('sink_conflict', `${place}: another sink writes to the schema ${schema}`)
        }
        await sleep(LOCK_PAUSE_MS, { signal })
        if (signal.aborted) throw unavailable(place, 'the sink is stopping')
      }
      await migrate()
    } else if ((await versionNow()) === 0) {
      throw new LedgerError('sink_conflict', `${place}: no sink has written to the schema ${schema}`)
    }
  } catch (error) {
    await close()
    const cause = error instanceof LedgerError ? error.cause : undefined
    if (cause instanceof DatabaseError && cause.code === DENIED) {
      throw new LedgerError('sink_unavailable', `${place}: ${cause.message}`, {
        hint: 'Have an administrator run the output of `causeway sink schema postgres`, and grant this role SELECT and INSERT on the tables.',
        cause,
      })
    }
    throw error
  }

  const cursor = async (lock: string): Promise<Cursor | undefined> => {
    const [row] = await query(`SELECT * FROM ${prefix}"sink_cursor" ${lock}`)
    return row === undefined
      ? undefined
      : {
          chain: row.chain ?? '',
          genesisHash: row.genesis_hash ?? '',
          height: Number(row.height),
          hash: row.hash ?? '',
          place: row.place ?? '',
        }
  }

  return {
    cursor: () => cursor(''),
    write: (batch, next, from) =>
      transaction(async () => {
        const found = (await cursor('FOR UPDATE'))?.height ?? 0
        if (found !== from) throw movedCursor(from, found)
        for (const [table, added] of batch) await query(insertOf(table, prefix), columnsOf(table, added))
        const { chain, genesisHash, height, hash } = next
        await query(
          `INSERT INTO ${prefix}"sink_cursor" VALUES (1, $1, $2, $3, $4, $5) ON CONFLICT ("one") DO UPDATE SET
  "height" = excluded."height", "hash" = excluded."hash", "place" = excluded."place"`,
          [chain, genesisHash, height, hash, next.place],
        )
      }),
    balances: async (of, height = Number.MAX_SAFE_INTEGER) =>
      (
        await query(
          `SELECT k.account, k.definition, ${plainAmount('b.amount')} AS amount
  FROM unnest($1::text[], $2::text[]) AS k(account, definition) CROSS JOIN LATERAL (SELECT amount
  FROM ${prefix}"balances_by_block" n WHERE n.account = k.account AND n.definition = k.definition AND n.height <= $3
  ORDER BY n.height DESC LIMIT 1) b`,
          [of.map(({ account }) => account), of.map(({ definition }) => definition), height],
        )
      ).map(balanceOf),
    supplies: async (of, height = Number.MAX_SAFE_INTEGER) =>
      (
        await query(
          `SELECT k.definition, ${plainAmount('s.supply')} AS supply
  FROM unnest($1::text[]) AS k(definition) CROSS JOIN LATERAL (SELECT supply
  FROM ${prefix}"supply_by_block" n WHERE n.definition = k.definition AND n.height <= $2
  ORDER BY n.height DESC LIMIT 1) s`,
          [of, height],
        )
      ).map(supplyOf),
    async *balancesAt(height) {
      let after: readonly [account: string, definition: string] = ['', '']
      for (;;) {
        // Byte order, which is that of the ledger: the collation of the database may be another.
        const rows = await query(
          `SELECT * FROM (SELECT DISTINCT ON (account COLLATE "C", definition COLLATE "C") account, definition,
  ${plainAmount('amount')} AS amount FROM ${prefix}"balances_by_block"
  WHERE height <= $1 AND (account COLLATE "C", definition COLLATE "C") > ($2, $3)
  ORDER BY account COLLATE "C", definition COLLATE "C", height DESC) b LIMIT ${PAGE}`,
          [height, ...after],
        )
        for (const row of rows) if (row.amount !== '0') yield balanceOf(row)
        const last = rows.at(-1)
        if (last === undefined) return
        after = [last.account ?? '', last.definition ?? '']
      }
    },
    suppliesAt: async (height) =>
      (
        await query(
          `SELECT DISTINCT ON (definition) definition, ${plainAmount('supply')} AS supply
  FROM ${prefix}"supply_by_block" WHERE height <= $1 ORDER BY definition, height DESC`,
          [height],
        )
      ).map(supplyOf),
    blockHash: async (height) =>
      (await query(`SELECT hash FROM ${prefix}"blocks" WHERE height = $1`, [height]))[0]?.hash,
    structure: async (name) => {
      const found = await query(
        `SELECT c.relkind::text AS kind, a.attname::text AS name FROM pg_class c LEFT JOIN pg_attribute a
  ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped WHERE c.oid = to_regclass($1) ORDER BY a.attnum`,
        [`${prefix}${quoted(name)}`],
      )
      const kind = found[0]?.kind
      if (kind === undefined) return undefined
      return kind === 'v' ? { kind: 'view' } : { kind: 'table', columns: found.map((column) => column.name ?? '') }
    },
    asHeld: (table, expected) => {
      const { columns } = table
      const names = columns.map((_, column) => `c${column}`)
      const held = columns.map(({ type }, column) => `c${column}::${TYPES[type]}::text`)
      const arrays = columns.map((_, column) => `$${column + 1}::text[]`)
      return rows(
        `SELECT ${held.join(', ')} FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS r(${names.join(', ')}, n) ORDER BY n`,
        columnsOf(table, expected),
      )
    },
    rowsBetween: (table, from, to, limit) =>
      rows(`SELECT ${texts(table)} FROM ${prefix}${quoted(table.name)} WHERE height >= $1 AND height <= $2 LIMIT $3`, [
        from,
        to,
        limit,
      ]),
    rowsOutside: (table, limit) =>
      rows(
        `SELECT ${texts(table)} FROM ${prefix}${quoted(table.name)} WHERE height IS NULL OR height < ${GENESIS_HEIGHT}
  OR height > (SELECT c.height FROM ${prefix}"sink_cursor" c) LIMIT $1`,
        [limit],
      ),
    rowOf: async (table, key) => {
      const types = new Map(table.columns.map(({ name, type }) => [name, TYPES[type]]))
      const where = table.key.map((name, column) => `${quoted(name)} = $${column + 1}::text::${types.get(name)}`)
      return (
        await rows(`SELECT ${texts(table)} FROM ${prefix}${quoted(table.name)} WHERE ${where.join(' AND ')}`, key)
      )[0]
    },
    close,
  }
}
