/** Owns the warehouse in PostgreSQL: one connection, one transaction a batch, one sink a schema. */
import { Client, type ClientConfig, DatabaseError } from 'pg'
import { sleep } from '../base/sleep.js'
import { LedgerError } from '../model/errors.js'
import { type Dialect, MIGRATIONS, quoted, versionsStatement } from './migrations.js'
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

/** Longest wait for a connection and for one statement, in ms: a batch is written in well under a second. */
const CONNECT_MS = 10_000
const STATEMENT_MS = 120_000
/** Longest wait for what the server says of a statement, in ms: one that hangs, or is cut off, does not end it by itself. */
const ANSWER_MS = STATEMENT_MS + CONNECT_MS
/** Looks whether another sink is gone, and the pause between two of them in ms: five seconds in all. */
const LOCK_TRIES = 10
const LOCK_PAUSE_MS = 500
/** Balances that are read at once. */
const PAGE = 5_000
/** What the server says where a role may not make a schema. */
const DENIED = '42501'

type Found = Readonly<Record<string, string>>

/** How a database is reached. */
export interface PostgresPlace {
  /** `postgresql://user@host/database?sslmode=verify-full`; without a password. */
  readonly url: string
  readonly schema: string
  readonly password?: string | undefined
  /** False: reads only, beside a sink that writes. */
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

/** Rows as one array of texts for each column. */
const columnsOf = ({ columns }: Table, rows: readonly Row[]): (string | null)[][] =>
  columns.map((_, at) => rows.map((row) => (row[at] === null || row[at] === undefined ? null : String(row[at]))))

/** Amounts as the ledger writes them: PostgreSQL keeps the zeros of `1.50`. */
const plainAmount = (column: string): string => `trim_scale(${column})::text`

/** Opens a database, and makes its tables where it has none. Throws `sink_unavailable`, `sink_conflict`. */
export async function openPostgres({ url, schema, password, writes }: PostgresPlace): Promise<Warehouse> {
  const config: ClientConfig = {
    connectionString: url,
    ...(password === undefined ? {} : { password }),
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: ANSWER_MS,
    application_name: 'causeway sink',
    keepAlive: true,
  }
  const client = new Client(config)
  const { host, database = '' } = client
  const place = `PostgreSQL at ${host}, database ${database}`
  const guarded = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw unavailable(place, error)
    }
  }
  // A connection that ends by itself fails the next statement, which says so.
  client.on('error', () => undefined)
  await guarded(client.connect())
  const query = async (sql: string, values: readonly unknown[] = []): Promise<Found[]> =>
    (await guarded(client.query(sql, [...values]))).rows as Found[]
  const transaction = async <T>(work: () => Promise<T>): Promise<T> => {
    await query('BEGIN')
    try {
      const result = await work()
      await query('COMMIT')
      return result
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined)
      throw error
    }
  }
  const dialect = postgresDialect(schema)
  const { prefix } = dialect

  const versionNow = async (): Promise<number> => {
    const [there] = await query('SELECT to_regclass($1)::text AS name', [`${prefix}"sink_migrations"`])
    if (there?.name === null || there?.name === undefined) return 0
    const [row] = await query(`SELECT coalesce(max("version"), 0)::text AS version FROM ${prefix}"sink_migrations"`)
    return Number(row?.version)
  }

  /** True when this session is the only one that writes to the schema. */
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
      // A role that may not make schemas gets one from an administrator.
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
      // The session of a sink that was killed ends when the server notices.
      for (let tries = 0; !(await isAlone()); tries++) {
        if (tries === LOCK_TRIES) {
          throw new LedgerError('sink_conflict', `${place}: another sink writes to the schema ${schema}`)
        }
        await sleep(LOCK_PAUSE_MS)
      }
      await migrate()
    } else if ((await versionNow()) === 0) {
      throw new LedgerError('sink_conflict', `${place}: no sink has written to the schema ${schema}`)
    }
  } catch (error) {
    await client.end().catch(() => undefined)
    const cause = error instanceof LedgerError ? error.cause : undefined
    if (cause instanceof DatabaseError && cause.code === DENIED) {
      throw new LedgerError('sink_unavailable', `${place}: ${cause.message}`, {
        hint: 'Have an administrator run what `causeway sink schema postgres` prints, and let this role read and insert there.',
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
    write: (rows, next, from) =>
      transaction(async () => {
        const found = (await cursor('FOR UPDATE'))?.height ?? 0
        if (found !== from) throw movedCursor(from, found)
        for (const [table, added] of rows) await query(insertOf(table, prefix), columnsOf(table, added))
        const { chain, genesisHash, height, hash, place: at } = next
        await query(
          `INSERT INTO ${prefix}"sink_cursor" VALUES (1, $1, $2, $3, $4, $5) ON CONFLICT ("one") DO UPDATE SET
  "height" = excluded."height", "hash" = excluded."hash", "place" = excluded."place"`,
          [chain, genesisHash, height, hash, at],
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
    supplies: async (of) =>
      (
        await query(
          `SELECT definition, ${plainAmount('supply')} AS supply
  FROM ${prefix}"supply" WHERE definition = ANY($1::text[])`,
          [of],
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
    count: async ({ name }) => Number((await query(`SELECT count(*)::text AS n FROM ${prefix}${quoted(name)}`))[0]?.n),
    async close() {
      await client.end().catch(() => undefined)
    },
  }
}
