/** Which connections to PostgreSQL may be in the clear. */
import { expect, it } from 'vitest'
import { openPostgres } from '../../../src/sink/postgres.js'

/** Result of a connection; no address of a test has a server. */
const opened = (url: string): Promise<string> =>
  openPostgres({ url, schema: 'causeway', writes: true }, AbortSignal.abort()).then(
    () => 'open',
    (error: { code: string }) => error.code,
  )

it.each(['db.invalid', '192.0.2.1', '127.0.0.1.db.invalid', 'localhost.db.invalid'])(
  'a sink refuses to connect to %s without TLS',
  async (host) => {
    expect(await opened(`postgresql://sink:secret@${host}/ledger`)).toBe('usage')
    expect(await opened(`postgresql://sink@${host}/ledger`)).toBe('usage')
  },
)

it.each([
  'postgresql://sink:secret@db.invalid/ledger?sslmode=verify-full',
  'postgresql://sink:secret@db.invalid/ledger?sslmode=disable',
  'postgresql://sink:secret@127.0.0.1:1/ledger',
  'postgresql://sink:secret@localhost:1/ledger',
  'postgresql:///ledger?host=/nowhere',
])('a sink connects to %s', async (url) => {
  expect(await opened(url)).toBe('sink_unavailable')
})
