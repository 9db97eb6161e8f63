/** Malformed WebSocket handshakes and offers of other protocols, over sockets: each is answered in our shape, and garbage after a good one ends the connection. */

import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS, isErrorCode } from '../../../src/model/index.js'
import { errorCodeOf } from '../../support/error-record.js'
import { SERVED_ROUTES } from '../../support/served-routes.js'
import { FUZZ_RUNS, FUZZ_TIMEOUT_MS, FuzzFigures } from './fuzz-figures.js'
import { FakeNode, gatewayOf } from './support.js'

const END_OF_HEAD = '\r\n\r\n'
const GOOD_KEY = Buffer.alloc(16, 7).toString('base64')

/** Few streams, so that a run also meets the cap. */
const MAX_STREAMS = 4

interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  /** Bytes after the head, until the connection ended. */
  readonly rest: Buffer
}

describe('the gateway tolerates malformed handshakes', () => {
  const failures: object[] = []
  const figures = new FuzzFigures('handshakes')
  const gateway = gatewayOf(
    new FakeNode(),
    { telemetryProfile: 'full', maxStreams: MAX_STREAMS },
    { logger: { error: (fields) => failures.push(fields), debug: () => {} } },
  )
  let port: number
  beforeAll(async () => {
    port = (await gateway.listen()).port
  })
  afterAll(async () => {
    await gateway.close()
    figures.expectBoundedHeap()
  })

  /** Sends a head, and `then` when it is answered by a WebSocket; our side ends, and so must the other. */
  const exchange = (head: string, then: Buffer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(head, 'latin1')))
      let held = Buffer.alloc(0)
      let answered: Omit<Answer, 'rest'> | undefined
      socket.on('data', (bytes) => {
        held = Buffer.concat([held, bytes])
        const end = held.indexOf(END_OF_HEAD)
        if (answered !== undefined || end < 0) return
        const [first = '', ...lines] = held.toString('latin1', 0, end).split('\r\n')
        const headers = lines.map((line): [string, string] => {
          const colon = line.indexOf(':')
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
        })
        answered = { status: Number(first.split(' ')[1]), headers: new Map(headers) }
        held = held.subarray(end + END_OF_HEAD.length)
        if (answered.status === 101) socket.end(then)
        // A stream of events goes on until its reader leaves.
        else if (answered.headers.get('content-type')?.startsWith('text/event-stream') === true) socket.destroy()
        else socket.end()
      })
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        if (answered === undefined) reject(new Error(`no answer to ${JSON.stringify(head)}`))
        else resolve({ ...answered, rest: held })
      })
    })

  const paths = fc.constantFrom(...SERVED_ROUTES.map((row) => row.path), '/nothing', '/', '/events/more')
  const streams = fc.constantFrom(...SERVED_ROUTES.filter((row) => row.format === 'websocket').map((row) => row.path))
  const text = fc.stringMatching(/^[!-~]([ -~]{0,30}[!-~])?$/)
  const search = fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    fc.webQueryParameters().map((query) => `?${query}`),
    fc.constantFrom('?from_height=1', '?from_height=-1', '?after=1.1', '?after=x', '?filter=%5B%5D', '?filter={', '?%'),
  )
  const good = fc.constant({
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-key': GOOD_KEY,
    'sec-websocket-version': '13',
  })
  const other = fc.record({
    upgrade: fc.oneof({ weight: 4, arbitrary: fc.constantFrom('websocket', 'WebSocket') }, text, fc.constant('h2c')),
    connection: fc.oneof({ weight: 4, arbitrary: fc.constantFrom('Upgrade', 'keep-alive, upgrade') }, text),
    'sec-websocket-key': fc.option(fc.oneof({ weight: 3, arbitrary: fc.constant(GOOD_KEY) }, text), { nil: undefined }),
    'sec-websocket-version': fc.option(
      fc.oneof({ weight: 3, arbitrary: fc.constant('13') }, fc.constantFrom('8', '0', '14', '13, 8'), text),
      { nil: undefined },
    ),
    'sec-websocket-protocol': fc.option(fc.oneof(fc.constantFrom('chat', 'chat, chat', ','), text), { nil: undefined }),
    'sec-websocket-extensions': fc.option(
      fc.oneof(fc.constantFrom('permessage-deflate', 'permessage-deflate; client_max_window_bits=99'), text),
      { nil: undefined },
    ),
    origin: fc.option(fc.oneof(fc.constantFrom('null', 'https://evil.example'), text), { nil: undefined }),
  })
  const targets = fc.tuple(fc.oneof(paths, streams), search).map(([path, query]) => path + query)
  /** A masked frame of a client, or bytes that are none. */
  const frame = fc
    .record({
      head: fc.constantFrom(0x81, 0x82, 0x80, 0x88, 0x89, 0x8a, 0x01, 0xf1, 0x83),
      payload: fc.oneof(
        fc.json({ maxDepth: 3 }).map((json) => Buffer.from(json)),
        fc.constantFrom('{"filters":[]}', '{"from_height":1}', '{"filters":[{}]}').map((good) => Buffer.from(good)),
        fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
      ),
      lengthByte: fc.option(fc.nat(255), { nil: undefined }),
    })
    .map(({ head, payload, lengthByte }) => {
      const short = payload.subarray(0, 125)
      // The mask is zero, so the payload stands as it is.
      return Buffer.concat([Buffer.from([head, lengthByte ?? 0x80 | short.length, 0, 0, 0, 0]), short])
    })
  const garbage = fc.array(frame, { maxLength: 3 }).map((frames) => Buffer.concat(frames))

  it(
    'on served and unknown paths',
    async () => {
      await fc.assert(
        fc.asyncProperty(targets, fc.oneof(good, other, other), garbage, async (target, given, then) => {
          const lines = Object.entries(given).flatMap(([name, value]) =>
            value === undefined ? [] : `${name}: ${value}`,
          )
          const head = [`GET ${target} HTTP/1.1`, 'host: 127.0.0.1', ...lines].join('\r\n')
          const { status, headers: sent, rest } = await exchange(head + END_OF_HEAD, then)
          figures.note(status)
          expect(failures).toEqual([])
          expect(status).not.toBe(500)
          if (status < 400) return
          const code = errorCodeOf({ status, rejectCode: sent.get('x-ledger-reject-code'), body: rest })
          if (status === 503) expect(isErrorCode(code) && ERRORS[code].http).toBe(503)
        }),
        FUZZ_RUNS,
      )
      const { statusCode } = await gateway.inject({ url: '/health' })
      expect(statusCode).toBe(200)
    },
    FUZZ_TIMEOUT_MS,
  )
})
