/** Owns shared parts of the commands of sinks: their run, and the display of a database without its password. */
import { Flags } from '@oclif/core'
import { LedgerError } from '../../model/errors.js'
import type { Warehouse } from '../../sink/warehouse.js'
import { BaseCommand } from '../command/base-command.js'
import { withStreams } from '../gateway/gateway.js'
import type { SettingFlags } from '../settings/settings.js'
import { usageError } from '../terminal/failure.js'
import { interruptible } from '../terminal/interrupt.js'

/** Environment variable with the URL of the database: it may contain a password, which a flag would expose. */
export const SINK_URL_ENV = 'CAUSEWAY_SINK_URL'
/** Default PostgreSQL schema of the tables. */
const SCHEMA = 'causeway'
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/
const PORT_MAX = 65_535

/** Flags of commands that write. */
export const runFlags = {
  once: Flags.boolean({ description: 'exit when the tables contain the current chain' }),
  'metrics-port': Flags.integer({
    description: 'serve Prometheus metrics on this port of the loopback interface',
    min: 0,
    max: PORT_MAX,
    helpValue: 'PORT',
  }),
}

/** Flags of PostgreSQL. */
export const postgresFlags = {
  url: Flags.string({
    description: `database as postgresql://user@host/name?sslmode=verify-full (${SINK_URL_ENV}); the password may be in the URL, PGPASSWORD or ~/.pgpass`,
    helpValue: 'URL',
  }),
  schema: Flags.string({ description: 'schema of the tables', default: SCHEMA, helpValue: 'NAME' }),
}

/** Validate the name of a schema, which is part of SQL statements. Throws a usage error. */
export function schemaOf(name: string): string {
  if (SCHEMA_NAME.test(name)) return name
  throw usageError(
    `--schema ${name}: a schema name has 1 to 63 lower-case letters, digits or _, and does not begin with a digit`,
  )
}

/** URL of the database, from the flag or the environment. Throws a usage error. */
export function databaseUrl(flag: string | undefined): string {
  const url = flag ?? process.env[SINK_URL_ENV]
  if (url === undefined) throw usageError(`no database is configured: give --url, or set ${SINK_URL_ENV}`)
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol)) {
    throw usageError('--url: expected postgresql://user@host/name')
  }
  if (flag !== undefined && (new URL(url).password !== '' || new URL(url).searchParams.has('password'))) {
    throw usageError(
      '--url: a password in a flag is visible to every user of this machine',
      `Put it into PGPASSWORD or ~/.pgpass, or the whole URL into ${SINK_URL_ENV}.`,
    )
  }
  return url
}

interface RunFlags extends SettingFlags {
  readonly once: boolean
  readonly 'metrics-port'?: number | undefined
}

/** Base class of commands that fill a database. */
export abstract class SinkCommand extends BaseCommand {
  /** Fill the database that `open` opens. */
  protected async fill(flags: RunFlags, open: (signal: AbortSignal) => Promise<Warehouse>): Promise<void> {
    const settings = await this.settings(flags)
    const [{ runSink }, { SinkMetrics }, { sinkNaming }] = await Promise.all([
      import('../../sink/run.js'),
      import('../../sink/metrics.js'),
      import('../../sink/naming.js'),
    ])
    const metrics = new SinkMetrics()
    const port = flags['metrics-port']
    const served = port === undefined ? undefined : await metrics.serve(port)
    if (served !== undefined) this.out.note(`metrics at http://127.0.0.1:${served.port}/metrics`)
    if (settings.pin?.genesisHash === undefined) {
      this.out.note(
        'The genesis of this gateway is not verified: pin it with `causeway profile create --genesis-hash`.',
      )
    }
    try {
      const height = await interruptible((signal) =>
        withTermination(signal, (stopped) =>
          withStreams(settings, async (client) => {
            const naming = sinkNaming(await client.codec())
            return this.withBar('writing', 'blocks', (report) =>
              runSink({
                client,
                naming,
                open,
                once: flags.once,
                metrics,
                signal: stopped,
                onBatch: ({ height: done, rows }, total) => {
                  report({ done, total })
                  if (!flags.once && this.out.json) this.out.line({ height: done, rows, lag: total - done }, '')
                },
                onFault: ({ message, code }) => this.out.note(`${message} [${code}]; retrying`),
              }),
            )
          }),
        ),
      )
      if (flags.once || !this.out.json)
        this.out.result({ height }, `the tables contain the chain up to block ${height}`)
    } finally {
      await served?.close()
    }
  }
}

/** Handle SIGTERM like Ctrl-C, because a supervisor runs the sink. */
export async function withTermination<T>(signal: AbortSignal, work: (stopped: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const end = (): void => stop.abort()
  signal.addEventListener('abort', end, { once: true })
  process.once('SIGTERM', end)
  try {
    return await work(stop.signal)
  } finally {
    process.off('SIGTERM', end)
    signal.removeEventListener('abort', end)
  }
}

/** Error for differing tables, with a line for each difference. */
export const differs = (differences: readonly string[]): LedgerError =>
  new LedgerError('sink_differs', ['the tables differ from the chain', ...differences].join('\n'), {
    details: { differences },
  })
