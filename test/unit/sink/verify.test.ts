/** Findings of `sink verify`: any alteration of any table, named by table, key and column. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import Database from 'libsql'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { InlineCrypto } from '../../../src/crypto/index.js'
import { follow } from '../../../src/sink/follower.js'
import { openSqlite } from '../../../src/sink/sqlite.js'
import { type Column, TABLES, type Table, VIEWS } from '../../../src/sink/tables.js'
import { type Verified, verifyRows } from '../../../src/sink/verify.js'
import { slice } from '../../suites.mjs'
import { CHAIN_CLIENT, LAST, NAMING } from './test-chain.js'

/** Random alterations of each kind; each verifies a chain. */
const RUNS = slice(25, 100)
/** Added to a number: no row of the chain has a key so large. */
const FAR = 1_000

let folder: string
let whole: string
let copies = 0
beforeAll(async () => {
  // test/unit/client has what a certificate has to be like.
  vi.spyOn(InlineCrypto.prototype, 'blsVerifyAggregate').mockResolvedValue(true)
  folder = await mkdtemp(join(tmpdir(), 'verify-'))
  whole = join(folder, 'whole.db')
  const written = join(folder, 'written.db')
  const warehouse = openSqlite(written, { writes: true })
  await follow({
    client: CHAIN_CLIENT,
    warehouse,
    naming: NAMING,
    until: LAST,
    signal: new AbortController().signal,
    onBatch: () => undefined,
  })
  await warehouse.close()
  const db = new Database(written)
  // One file without a log beside it, for copies.
  db.exec(`VACUUM INTO '${whole}'`)
  db.close()
})
afterAll(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true, force: true })
})

interface Range {
  readonly from?: number
  readonly to?: number
}

/** Verifies a copy of the tables that was altered. */
async function verified(alter: (db: Database.Database) => void, { from = 1, to }: Range = {}): Promise<Verified> {
  const file = join(folder, `${++copies}.db`)
  await copyFile(whole, file)
  const db = new Database(file)
  try {
    alter(db)
  } finally {
    db.close()
  }
  const warehouse = openSqlite(file, { writes: false })
  try {
    return await verifyRows({
      client: CHAIN_CLIENT,
      warehouse,
      naming: NAMING,
      from,
      to,
      signal: new AbortController().signal,
      onBatch: () => undefined,
    })
  } finally {
    await warehouse.close()
  }
}

type Cells = Record<string, string | number | null>
const rowsOf = (db: Database.Database, { name }: Table): Cells[] =>
  db.prepare(`SELECT rowid AS "#", * FROM "${name}" ORDER BY rowid`).all() as Cells[]

const otherThan = (value: string | number | null, { type }: Column): string | number =>
  type === 'flag' ? 1 - Number(value) : typeof value === 'number' ? value + FAR : `${value ?? ''}1`

const set = (db: Database.Database, { name }: Table, row: Cells, cells: Cells): void => {
  const columns = Object.keys(cells)
  const values = [...columns.map((column) => cells[column] ?? null), row['#'] ?? null]
  db.prepare(`UPDATE "${name}" SET ${columns.map((one) => `"${one}" = ?`).join(', ')} WHERE rowid = ?`).run(...values)
}

const pick = <T>(list: readonly T[], at: number): T => {
  const one = list[at % list.length]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}

const table = fc.constantFrom(...TABLES)
const place = fc.nat(10_000)

it('the verification finds no difference in the tables of a sink, and counts their rows', async () => {
  let count = 0
  const found = await verified((db) => {
    for (const one of TABLES) {
      const { length } = rowsOf(db, one)
      expect(length, one.name).toBeGreaterThan(0)
      count += length
    }
  })
  expect(found).toEqual({ height: LAST, last: LAST, rows: count, differences: [] })
})

it('the verification reports table, key and column of any altered cell', async () => {
  const cell = fc.tuple(table, place, place, fc.boolean())
  await fc.assert(
    fc.asyncProperty(cell, async ([where, rowAt, columnAt, isEmptied]) => {
      const column = pick(where.columns, columnAt)
      const isKey = where.key.includes(column.name)
      let key: string[] = []
      const { differences } = await verified((db) => {
        const row = pick(rowsOf(db, where), rowAt)
        const old = row[column.name] ?? null
        const value = isEmptied && column.optional === true && old !== null ? null : otherThan(old, column)
        set(db, where, row, { [column.name]: value })
        key = where.key.map((name) => `${name} ${JSON.stringify(row[name])}`)
      })
      const row = `${where.name} (${key.join(', ').slice(0, 60)}`
      expect(differences.some((one) => one.startsWith(row) && (isKey || one.includes(`), ${column.name}: `)))).toBe(
        true,
      )
    }),
    { numRuns: RUNS },
  )
})

it('the verification finds deleted, inserted and exchanged rows', async () => {
  const kind = fc.constantFrom('deleted', 'inserted', 'exchanged')
  await fc.assert(
    fc.asyncProperty(kind, table, place, place, async (what, where, at, otherAt) => {
      const { name, columns, key } = where
      let isAltered = true
      const { differences } = await verified((db) => {
        const rows = rowsOf(db, where)
        const [row, other] = [pick(rows, at), pick(rows, otherAt)]
        const contents = (of: Cells): Cells =>
          Object.fromEntries(
            columns.filter((one) => !key.includes(one.name)).map((one) => [one.name, of[one.name] ?? null]),
          )
        if (what === 'deleted') db.prepare(`DELETE FROM "${name}" WHERE rowid = ?`).run(row['#'])
        if (what === 'inserted') {
          const values = columns.map((column) =>
            column.name === key.at(-1) ? otherThan(row[column.name] ?? null, column) : (row[column.name] ?? null),
          )
          db.prepare(`INSERT INTO "${name}" VALUES (${values.map(() => '?').join(', ')})`).run(...values)
        }
        if (what === 'exchanged') {
          isAltered = JSON.stringify(contents(row)) !== JSON.stringify(contents(other))
          set(db, where, row, contents(other))
          set(db, where, other, contents(row))
        }
      })
      expect(differences.some((one) => one.startsWith(`${name} (`))).toBe(isAltered)
    }),
    { numRuns: RUNS },
  )
})

it.each(TABLES)(
  'the verification finds that $name is missing, empty, or lacks a column',
  async ({ name, columns, indexes = [] }) => {
    const views = VIEWS.map((view) => `DROP VIEW "${view.name}"`).join(';')
    const gone = await verified((db) => void db.exec(`DROP TABLE "${name}"`))
    expect(gone.differences).toContain(`${name}: no such table`)
    const empty = await verified((db) => void db.exec(`DELETE FROM "${name}"`))
    expect(empty.differences[0]).toMatch(new RegExp(`^${name} .*: not in the tables$`))
    const free = columns.findLast((one) => !indexes.flat().includes(one.name))?.name
    const narrow = await verified((db) => {
      db.exec(`${views}; CREATE TABLE copied AS SELECT * FROM "${name}"; DROP TABLE "${name}";
ALTER TABLE copied RENAME TO "${name}"; ALTER TABLE "${name}" DROP COLUMN "${free}"`)
    })
    expect(narrow.differences).toContain(`${name}: no column ${free}`)
  },
)

it.each(VIEWS)(
  'the verification finds that the view $name is missing, is a table, or has another query',
  async ({ name }) => {
    const gone = await verified((db) => void db.exec(`DROP VIEW "${name}"`))
    expect(gone.differences).toEqual([`${name}: no such view`])
    const copied = await verified(
      (db) =>
        void db.exec(
          `CREATE TABLE c AS SELECT * FROM "${name}"; DROP VIEW "${name}"; ALTER TABLE c RENAME TO "${name}"`,
        ),
    )
    expect(copied.differences).toEqual([`${name}: no such view`])
    const other = await verified((db) => void db.exec(`DROP VIEW "${name}"; CREATE VIEW "${name}" AS SELECT 1`))
    expect(other.differences).toEqual([`${name}: the query of the view differs`])
  },
)

it.each([
  'UPDATE transfers SET amount = amount + 1000',
  'UPDATE movements SET amount = amount + 1000',
  'UPDATE iso_statuses SET amount = amount + 1000',
  `UPDATE blocks SET state_root = '00'`,
  'DELETE FROM transactions',
  `UPDATE iso_statuses SET status = 'RJCT' WHERE height = 3`,
  `UPDATE votes SET height = 3.5 WHERE height = 3`,
  `UPDATE votes SET height = 'x' WHERE height = 3`,
  `UPDATE sink_cursor SET hash = '00'`,
  `UPDATE sink_cursor SET chain = 'other'`,
  'UPDATE sink_cursor SET height = height - 1',
])('the verification finds %s', async (sql) => {
  const { differences } = await verified((db) => void db.exec(sql))
  expect(differences.length).toBeGreaterThan(0)
})

it('the verification of a range compares only its blocks, starting from a proof of the block before', async () => {
  const alter = (db: Database.Database): void => void db.exec('UPDATE transfers SET amount = 7 WHERE height = 4')
  for (const range of [{ from: 5 }, { to: 3 }, { from: 2, to: 3 }, { from: 5, to: 5 }]) {
    const last = range.to ?? LAST
    expect(await verified(alter, range)).toMatchObject({ height: last, last, differences: [] })
  }
  for (const range of [{}, { from: 4 }, { to: 4 }, { from: 4, to: 4 }, { from: 3, to: 5 }]) {
    const [first] = (await verified(alter, range)).differences
    expect(first).toBe('transfers (height 4, number 0), amount: "7" in the tables, "4" on the chain')
  }
})

it('the verification rejects a range beyond the blocks in the tables', async () => {
  const nothing = (): void => undefined
  await expect(verified(nothing, { to: LAST + 1 })).rejects.toMatchObject({ code: 'usage' })
  await expect(verified(nothing, { from: LAST + 1 })).rejects.toMatchObject({ code: 'usage' })
  const ahead = (db: Database.Database): void => void db.exec('UPDATE sink_cursor SET height = height + 1')
  await expect(verified(ahead)).rejects.toMatchObject({ code: 'sink_conflict' })
})
