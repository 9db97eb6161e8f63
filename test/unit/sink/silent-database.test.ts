/** A database that takes a connection, and then says nothing: stopped, or cut off. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openPostgres } from '../../../src/sink/postgres.js'

/** AuthenticationOk, and ReadyForQuery outside a transaction. */
const READY = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])
/** Longer than any wait of a sink. */
const LONG_MS = 600_000
/** Longer than a sink that is told to end waits for an answer, shorter than any other wait. */
const SOON_MS = 4_000

let server: Server
let link: Promise<Socket>
beforeEach(async () => {
  server = createServer()
  link = once(server, 'connection').then(([socket]) => {
    const one = socket as Socket
    one.once('data', () => one.write(READY))
    return one
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  vi.useRealTimers()
  ;(await link).destroy()
  server.close()
})

/** Result of a connection whose statements get no response from the first one on. */
async function silent(signal: AbortSignal): Promise<{ readonly ended: Promise<string> }> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { port } = server.address() as AddressInfo
  const url = `postgresql://somebody@127.0.0.1:${port}/ledger`
  const ended = openPostgres({ url, schema: 'causeway', writes: false }, signal).then(
    () => 'open',
    (error: { code: string }) => error.code,
  )
  const socket = await link
  // The login, then the statement.
  await once(socket, 'data')
  await once(socket, 'data')
  return { ended }
}

it('a database that does not respond is eventually reported as unavailable', async () => {
  const { ended } = await silent(new AbortController().signal)
  await vi.advanceTimersByTimeAsync(LONG_MS)
  expect(await ended).toBe('sink_unavailable')
})

it('a database that does not respond does not keep the process alive after a stop', async () => {
  const stop = new AbortController()
  const { ended } = await silent(stop.signal)
  stop.abort()
  await vi.advanceTimersByTimeAsync(SOON_MS)
  expect(await ended).toBe('sink_unavailable')
  expect(vi.getTimerCount()).toBe(0)
})
