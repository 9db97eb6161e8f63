/** Owns the connection to PostgreSQL: its creation, its timeouts, and its end if the server does not respond. */
import { Socket } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import { isLoopback } from '../client/loopback.js'
import { LedgerError } from '../model/errors.js'
import { unavailable } from './warehouse.js'

/** Maximum wait for a connection and for one statement, in ms; a batch is written in well under a second. */
const CONNECT_MS = 10_000
const STATEMENT_MS = 120_000
/**
 * Maximum wait for a response of the server to a statement, in ms; a statement on a hanging or broken connection does
 * not end by itself.
 */
const ANSWER_MS = STATEMENT_MS + CONNECT_MS
/**
 * Time for a running statement to complete when the program is stopped, in ms: supervisors kill after ten seconds or
 * more.
 */
const LEAVE_MS = 3_000

export type Found = Readonly<Record<string, string>>

/** Address of the server. */
export interface PostgresAddress {
  /** `postgresql://user@host/database?sslmode=verify-full`; without a password. */
  readonly url: string
  readonly password?: string | undefined
}

/** A connection. Every method rejects with `sink_unavailable` while the server does not respond. */
export interface PostgresLink {
  /** Name of the database for messages. */
  readonly place: string
  query(sql: string, values?: readonly unknown[]): Promise<Found[]>
  /** Like `query`, with rows as lists of texts. */
  rows(sql: string, values?: readonly unknown[]): Promise<(string | null)[][]>
  transaction<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** True for a Unix socket or an address of this machine. */
const isHere = (host: string): boolean => host.startsWith('/') || host === '::1' || isLoopback(`http://${host}`)

/** Throw `usage` for an unencrypted connection over a network, unless the URL permits it. */
function checkEncrypted({ ssl, host }: Pick<Client, 'ssl' | 'host'>, url: string): void {
  if (ssl || isHere(host) || new URL(url).searchParams.get('sslmode') === 'disable') return
  throw new LedgerError('usage', `cannot connect to ${host}: the password and the rows would be sent unencrypted`, {
    hint: 'Add ?sslmode=verify-full&sslrootcert=FILE to the URL, or ?sslmode=disable on a trusted network.',
  })
}

/**
 * Connect. An aborted signal ends the connection and its pending requests after `LEAVE_MS`. Throws `sink_unavailable`,
 * `usage`.
 */
export async function linkPostgres({ url, password }: PostgresAddress, signal: AbortSignal): Promise<PostgresLink> {
  const socket = new Socket()
  const config: ClientConfig = {
    connectionString: url,
    password,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: ANSWER_MS,
    application_name: 'causeway sink',
    keepAlive: true,
    stream: () => socket,
  }
  const client = new Client(config)
  const { host, database = '' } = client
  checkEncrypted(client, url)
  const place = `PostgreSQL at ${host}, database ${database}`
  const guarded = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw unavailable(place, error)
    }
  }
  let leaving: NodeJS.Timeout | undefined
  const leave = (): void => {
    leaving ??= setTimeout(() => socket.destroy(new Error('the server did not respond before the deadline')), LEAVE_MS)
  }
  const close = async (): Promise<void> => {
    leave()
    await client.end().catch(() => undefined)
    clearTimeout(leaving)
    signal.removeEventListener('abort', leave)
  }
  // A connection that closes fails the next statement, which reports it.
  client.on('error', () => undefined)
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  try {
    await guarded(client.connect())
  } catch (error) {
    await close()
    throw error
  }
  const query = async (sql: string, values: readonly unknown[] = []): Promise<Found[]> =>
    (await guarded(client.query(sql, [...values]))).rows as Found[]
  return {
    place,
    query,
    rows: async (text, values = []) =>
      (await guarded(client.query<(string | null)[]>({ text, values: [...values], rowMode: 'array' }))).rows,
    async transaction(work) {
      await query('BEGIN')
      try {
        const result = await work()
        await query('COMMIT')
        return result
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined)
        throw error
      }
    },
    close,
  }
}
