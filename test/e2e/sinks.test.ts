/**
 * Sinks on processes: the sink, the nodes and the database are killed while payments go on. Every block stands in the tables
 * once, and the totals are those of the ledger. `CAUSEWAY_SINK_KILLS` counts the kills of the sink.
 */
import type { ChildProcess } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCauseway } from '../cli/run.js'
import { Postgres } from '../support/postgres.js'
import { pause, TestNet, until } from './localnet.js'

const KILLS = Number(process.env.CAUSEWAY_SINK_KILLS ?? 3)

let net: TestNet
let postgres: Postgres | string

const ofPostgres = (): Postgres => {
  if (typeof postgres === 'string') throw new Error(postgres)
  return postgres
}

/** One of the two databases, as a sink fills it and a person reads it. */
interface Target {
  readonly name: string
  /** Words of the command that fills it. */
  fill(): readonly string[]
  verify(): readonly string[]
  query(sql: string): Promise<Record<string, unknown>[]>
}

const TARGETS: readonly Target[] = [
  {
    name: 'PostgreSQL',
    fill: () => ['sink', 'postgres', '--url', ofPostgres().url],
    verify: () => ['sink', 'verify', '--url', ofPostgres().url],
    query: (sql) => ofPostgres().query(sql.replaceAll('@', 'causeway.')),
  },
  {
    name: 'SQLite',
    fill: () => ['sink', 'sqlite', join(net.root, 'ledger.db')],
    verify: () => ['sink', 'verify', '--file', join(net.root, 'ledger.db')],
    query: async (sql) => {
      const db = new Database(join(net.root, 'ledger.db'))
      try {
        return db.prepare(sql.replaceAll('@', '')).all() as Record<string, unknown>[]
      } finally {
        db.close()
      }
    },
  },
]

const running = new Set<ChildProcess>()
/** A sink that follows the chain, as a process of its own. */
function follow(words: readonly string[]): ChildProcess {
  const env = { CAUSEWAY_LOCALNET: net.folder, CAUSEWAY_TIMEOUT: '60s' }
  const child = startCauseway([...words, '--json'], { cwd: net.root, env })
  child.stdin.end()
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}
const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode)
    else child.once('exit', (code) => resolve(code))
  })
async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await ended(child)
}

const pay = async (seconds: number): Promise<void> => {
  const words = ['bench', 'tx', '--to', 'bob@bank', '--asset', 'eur#bank', '--amount', '0.25', '--rate', '25']
  const run = await net.program(
    ...words,
    '--duration',
    `${seconds}s`,
    '--key-file',
    net.keyFile('alice'),
    '--yes',
    '--quiet',
  )
  if (run.code !== 0) throw new Error(run.stdout + run.stderr)
}

const cursorOf = async ({ query }: Target): Promise<number> =>
  Number((await query('SELECT height FROM @sink_cursor').catch(() => []))[0]?.height ?? 0)

/** Fills to the end of the chain as it is. */
async function fillOnce(target: Target): Promise<void> {
  const run = await net.program(...target.fill(), '--once', '--json')
  expect(run.code, run.stdout + run.stderr).toBe(0)
}

/** Properties that tables must have in every case. */
async function expectWhole(target: Target): Promise<void> {
  const height = await cursorOf(target)
  const one = async (sql: string) => Number(Object.values((await target.query(sql))[0] ?? {})[0])
  expect(await one('SELECT count(*) FROM @blocks')).toBe(height)
  expect(await one('SELECT max(height) FROM @blocks')).toBe(height)
  // Each block names the one before.
  const broken =
    'SELECT count(*) FROM @blocks b JOIN @blocks p ON p.height = b.height - 1 WHERE b.parent_hash <> p.hash'
  expect(await one(broken)).toBe(0)
  expect(await one('SELECT count(*) FROM @transactions')).toBe(await one('SELECT sum(transactions) FROM @blocks'))
  expect(await one(`SELECT count(*) FROM @events WHERE category = 'block'`)).toBe(height)
  // A quorum stands behind every block but genesis.
  const quorums = 'SELECT min(n) FROM (SELECT count(*) AS n FROM @votes WHERE signed GROUP BY height) q'
  expect(await one(quorums)).toBeGreaterThanOrEqual(3)
  expect(await one('SELECT count(DISTINCT height) FROM @votes')).toBe(height - 1)
  const compared = await net.program(...target.verify(), '--json')
  expect(compared.code, compared.stdout + compared.stderr).toBe(0)
  expect(compared.json()).toMatchObject({ equal: true, height })
}

beforeAll(async () => {
  ;[net, postgres] = await Promise.all([TestNet.start(), Postgres.start()])
  if (typeof postgres === 'string') console.log(`without PostgreSQL: ${postgres}`)
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await TestNet.closeAll()
  if (typeof postgres !== 'string') await postgres.close()
})

describe.each(TARGETS)('a sink to $name', (target) => {
  it('writes every block once, across kills and while payments continue', async ({ skip }) => {
    if (target.name === 'PostgreSQL' && typeof postgres === 'string') skip(postgres)
    let isOver = false
    const paying = (async () => {
      while (!isOver) await pay(2)
    })()
    for (let kill = 0; kill < KILLS; kill++) {
      const child = follow(target.fill())
      const before = await cursorOf(target)
      await until('the sink goes on', async () => ((await cursorOf(target)) > before ? true : undefined))
      // At another place of its work each time.
      await pause((kill * 370) % 1_000)
      await killed(child)
    }
    isOver = true
    await paying
    await fillOnce(target)
    await expectWhole(target)
  })

  it('writes untrusted texts unchanged, except for characters that no database can store', async ({ skip }) => {
    if (target.name === 'PostgreSQL' && typeof postgres === 'string') skip(postgres)
    const hostile = "nul\u0000 '; DROP TABLE blocks; -- \u202e \\u0000 \u{1f4b6}"
    const file = `log-${target.name}.json`
    await writeFile(join(net.root, file), JSON.stringify([{ Log: { level: 'Info', text: hostile } }]))
    const sent = await net.cli(
      'tx',
      'send',
      join(net.root, file),
      '--key-file',
      net.keyFile('alice'),
      '--yes',
      '--json',
    )
    expect(sent.code, sent.stdout + sent.stderr).toBe(0)
    await fillOnce(target)
    const rows = await target.query(`SELECT body FROM @instructions WHERE kind = 'Log' ORDER BY height DESC`)
    const body = rows[0]?.body
    const found = (typeof body === 'string' ? JSON.parse(body) : body) as { readonly text: string }
    expect(found.text).toBe(hostile.replaceAll('\0', '\u2400'))
    await expectWhole(target)
  })
})

/** Statements, each with its inverse; what `sink verify` names of the first. */
const ALTERED = [
  ['UPDATE @transfers SET amount = amount + 1000', 'UPDATE @transfers SET amount = amount - 1000', 'transfers'],
  ['UPDATE @movements SET amount = amount + 1000', 'UPDATE @movements SET amount = amount - 1000', 'movements'],
  [`UPDATE @votes SET height = height + 1000000`, `UPDATE @votes SET height = height - 1000000`, 'votes'],
  [
    'ALTER TABLE @lanes_by_block RENAME TO elsewhere',
    'ALTER TABLE @elsewhere RENAME TO lanes_by_block',
    'lanes_by_block',
  ],
] as const

it('sink verify reports altered rows in PostgreSQL', async ({ skip }) => {
  if (typeof postgres === 'string') skip(postgres)
  const [target] = TARGETS
  if (target === undefined) return
  await fillOnce(target)
  for (const [alter, restore, name] of ALTERED) {
    await target.query(alter)
    const run = await net.program(...target.verify(), '--json')
    expect(run.code, alter).toBe(10)
    const { error } = run.json() as unknown as { error: { details: { differences: string[] } } }
    expect(error.details.differences[0]).toMatch(new RegExp(`^${name}\\b`))
    await target.query(restore)
  }
  await expectWhole(target)
})

describe('a sink', () => {
  it('contains a payment message with its status, amount and parties, and its statement line', async () => {
    const [, target] = TARGETS
    if (target === undefined) return
    const submitted = await net.cli(
      'iso',
      'submit',
      'pacs008',
      join(process.cwd(), 'templates', 'iso', 'pacs008.xml'),
      '--json',
    )
    expect(submitted.code, submitted.stdout + submitted.stderr).toBe(0)
    await fillOnce(target)
    const payments = await target.query('SELECT * FROM @iso_payments')
    expect(payments).toHaveLength(1)
    expect(payments[0]).toMatchObject({ family: 'pacs008', status: 'ACSC', error_code: null, currency: 'EUR' })
    const id = String(payments[0]?.message_id)
    const lines = await target.query(
      `SELECT side, kind, amount FROM @statements WHERE message_id = '${id}' ORDER BY side`,
    )
    expect(lines.map(({ side, kind }) => [side, kind])).toEqual([
      ['credit', 'transfer'],
      ['debit', 'transfer'],
    ])
    expect(lines.every(({ amount }) => amount === payments[0]?.amount)).toBe(true)
  })
})

describe('a sink to PostgreSQL', () => {
  it('reports that the database was killed, and resumes when it is back', async ({ skip }) => {
    if (typeof postgres === 'string') skip(postgres)
    const [target] = TARGETS
    if (target === undefined) return
    const child = follow(target.fill())
    let output = ''
    child.stderr?.on('data', (part: Buffer) => {
      output += part.toString()
    })
    // One that has written nothing ends with the fault instead, because its user is present to read it.
    const first = await cursorOf(target)
    await pay(3)
    await until('the sink follows', async () => ((await cursorOf(target)) > first ? true : undefined))
    await ofPostgres().kill()
    await pay(3)
    await until('the fault is reported', async () => (output.includes('sink_unavailable') ? true : undefined))
    const before = await ofPostgres()
      .up()
      .then(() => cursorOf(target))
    await pay(1)
    await until('the sink goes on', async () => ((await cursorOf(target)) > before ? true : undefined))
    child.kill('SIGTERM')
    expect(await ended(child)).toBe(0)
    await fillOnce(target)
    await expectWhole(target)
  })

  it('has exclusive use of its schema: a second sink is refused', async ({ skip }) => {
    if (typeof postgres === 'string') skip(postgres)
    const [target] = TARGETS
    if (target === undefined) return
    const child = follow(target.fill())
    await until('the sink follows', async () => {
      const locks = await ofPostgres().query(`SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory'`)
      return locks[0]?.n === 1 ? true : undefined
    })
    const second = await net.program(...target.fill(), '--once', '--json')
    expect(second.code).toBe(3)
    expect(second.stdout).toContain('sink_conflict')
    await killed(child)
  })

  it('needs only insert permission if an administrator created the tables', async ({ skip }) => {
    if (typeof postgres === 'string') skip(postgres)
    const { statements } = (
      await net.program('sink', 'schema', 'postgres', '--schema', 'least', '--json')
    ).json() as unknown as {
      statements: string
    }
    const server = ofPostgres()
    await server.query(statements)
    await server.query(`CREATE ROLE filler LOGIN; GRANT USAGE ON SCHEMA least TO filler;
GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA least TO filler; GRANT UPDATE ON least.sink_cursor TO filler;
REVOKE CREATE ON DATABASE ledger FROM PUBLIC`)
    const url = server.url.replace('causeway@', 'filler@')
    const run = await net.program('sink', 'postgres', '--url', url, '--schema', 'least', '--once', '--json')
    expect(run.code, run.stdout + run.stderr).toBe(0)
    const denied = await net.program('sink', 'postgres', '--url', url, '--schema', 'other', '--once', '--json')
    expect(denied.code).toBe(5)
    expect(denied.stdout).toContain('sink schema postgres')
  })
})
