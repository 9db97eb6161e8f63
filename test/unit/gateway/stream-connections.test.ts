/** The connections of streams: who may open them, how many, how they are kept alive, and requests that offer other protocols. */
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SESSION_HEADER, TRANSACTION_FRAME } from '../../../src/api/index.js'
import { metricsOf } from '../../../src/api/metrics.js'
import { formatPublicKey } from '../../../src/crypto/index.js'
import { type Gateway, type GatewayConfig, OperatorSessions } from '../../../src/gateway/index.js'
import { SESSION_MS } from '../../../src/gateway/sessions.js'
import { PING_MS, PONGS_MISSED_MAX, SSE_KEEPALIVE_MS, TICK_MS } from '../../../src/gateway/streams/limits.js'
import { pause, until } from '../../support/ports.js'
import { SocketReader, SseReader } from './stream-readers.js'
import { accountOf, alice, FakeNode, gatewayOf, signedBytes } from './support.js'

const SUBSCRIBE = '{"filters":[]}'
let node: FakeNode
let gateway: Gateway
let url: string
let monotonicMs: number

async function start(
  config: Partial<GatewayConfig> = {},
  modules: { readonly sessions?: OperatorSessions } = {},
): Promise<void> {
  gateway = gatewayOf(
    node,
    { telemetryProfile: 'full', ...config },
    { clocks: { wallMs: () => Date.now(), monotonicMs: () => monotonicMs }, ...modules },
  )
  url = (await gateway.listen()).url
}
beforeEach(() => {
  node = new FakeNode()
  monotonicMs = 0
})
afterEach(() => gateway.close())

/** Status and error code of a WebSocket that is refused. */
async function refused(path: string, headers: Record<string, string> = {}): Promise<string> {
  const error: unknown = await SocketReader.open(`${url}${path}`, undefined, headers).then(
    () => undefined,
    (cause: unknown) => cause,
  )
  return (error as Error).message
}

/** Response to a request of these bytes, until the connection ends. */
const exchange = (request: Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(request))
    let answer = ''
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      answer += text
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })

describe('opening a WebSocket', () => {
  it('is treated as a plain request on a path without one, as RFC 9110 section 7.8 allows', async () => {
    await start()
    const lines = ['host: localhost', 'connection: upgrade', 'upgrade: websocket', 'sec-websocket-version: 13', '', '']
    for (const [target, status] of [
      ['GET /health', 'HTTP/1.1 200 '],
      ['GET /nothing', 'HTTP/1.1 404 '],
      ['POST /health', 'HTTP/1.1 405 '],
    ] as const) {
      const answer = await exchange(Buffer.from([`${target} HTTP/1.1`, ...lines].join('\r\n')))
      expect(answer.startsWith(status), answer).toBe(true)
      expect(answer.includes('GET is not a method')).toBe(false)
    }
  })

  it('is checked like any request: path, credentials and host header', async () => {
    await start({ apiTokens: [{ sha256: createHash('sha256').update('secret').digest('hex') }], requireApiToken: true })
    expect(await refused('/nothing', { 'x-api-token': 'secret' })).toContain('404')
    expect(await refused('/events?x=1', { 'x-api-token': 'secret' })).toContain('400')
    expect(await refused('/events')).toContain('401')
    const reader = await SocketReader.open(`${url}/events`, SUBSCRIBE, { 'x-api-token': 'secret' })
    await reader.count(1)
    reader.socket.close()
  })

  it('is refused to pages of unlisted origins', async () => {
    await start({ corsOrigins: ['https://wallet.example'] })
    expect(await refused('/events', { origin: 'https://evil.example' })).toContain('403')
    for (const origin of ['https://wallet.example', url]) {
      const reader = await SocketReader.open(`${url}/events`, SUBSCRIBE, { origin })
      await reader.count(1)
      reader.socket.close()
    }
  })

  it('is allowed for pages of listed origins, as are Server-Sent Events', async () => {
    await start({ corsOrigins: ['https://wallet.example'] })
    const reader = await SseReader.open(`${url}/v1/events/sse`, { origin: 'https://wallet.example' })
    expect(reader.response.headers['access-control-allow-origin']).toBe('https://wallet.example')
    reader.close()
  })

  it('is required on its path', async () => {
    await start()
    const answer = await fetch(`${url}/block/stream`)
    expect([answer.status, answer.headers.get('upgrade')]).toEqual([426, 'websocket'])
    expect(await answer.json()).toMatchObject({ code: 'upgrade_required' })
  })

  it('returns an error record if the handshake is malformed', async () => {
    await start()
    const handshake = (...lines: string[]) =>
      exchange(
        Buffer.from(
          [
            'GET /events HTTP/1.1',
            'host: localhost',
            'upgrade: websocket',
            'connection: upgrade',
            ...lines,
            '',
            '',
          ].join('\r\n'),
        ),
      )
    const key = `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`
    const old = await handshake(key, 'sec-websocket-version: 8')
    expect(old).toMatch(/^HTTP\/1.1 426 /)
    expect(old).toContain('\r\nsec-websocket-version: 13\r\n')
    expect(old).toContain('"code":"upgrade_required"')
    for (const lines of [['sec-websocket-key: short'], [], [key, 'sec-websocket-protocol: a, a']]) {
      const answer = await handshake('sec-websocket-version: 13', ...lines)
      expect(answer).toMatch(/^HTTP\/1.1 400 /)
      expect(answer).toContain('\r\nx-ledger-reject-code: malformed_request\r\n')
    }
    const { values } = await metricsOf(node.services.metrics).gateway.requests.get()
    const counted = values.filter(({ labels }) => labels['route'] === 'events').map(({ labels }) => labels['status'])
    expect(counted.sort()).toEqual([400, 426])
  })

  it('is rejected at the limit of streams, and works again when one closes', async () => {
    await start({ maxStreams: 2 })
    const socket = await SocketReader.open(`${url}/events`, SUBSCRIBE)
    await socket.count(1)
    const sse = await SseReader.open(`${url}/v1/events/sse`)
    await sse.until(() => sse.text !== '')
    expect(await refused('/events')).toContain('503')
    const answer = await fetch(`${url}/v1/consensus/status/sse`)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await answer.json()).toMatchObject({ code: 'too_many_streams' })
    expect((await fetch(`${url}/health`)).status).toBe(200)
    sse.close()
    socket.socket.close()
    await socket.until(() => socket.closed !== undefined)
    let reader = await SseReader.open(`${url}/v1/events/sse`)
    while (reader.response.statusCode !== 200) reader = await SseReader.open(`${url}/v1/events/sse`)
    const { values } = await metricsOf(node.services.metrics).gateway.streams.get()
    expect(values.reduce((sum, { value }) => sum + value, 0)).toBeLessThanOrEqual(2)
    reader.close()
  })
})

describe('a WebSocket without a subscription', () => {
  it('counts for the limit of streams', async () => {
    await start({ maxStreams: 2 })
    const silent = await Promise.all([0, 1].map(() => SocketReader.open(`${url}/events`)))
    expect(await refused('/events')).toContain('503')
    for (const { socket } of silent) socket.close()
  })
})

describe('an Upgrade header for another protocol', () => {
  const h2c = 'Host: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n'

  it('is ignored, with and without a body', async () => {
    await start()
    expect(await exchange(Buffer.from(`GET /health HTTP/1.1\r\n${h2c}\r\n`))).toMatch(/^HTTP\/1\.1 200 /)
    const body = TRANSACTION_FRAME.wrap(await signedBytes(1))
    const head = `POST /transaction HTTP/1.1\r\n${h2c}Content-Type: application/x-codec\r\nContent-Length: ${body.length}\r\n\r\n`
    expect(await exchange(Buffer.concat([Buffer.from(head), body]))).toMatch(/^HTTP\/1\.1 202 /)
  })

  it('is ignored for a chunked body, even if the chunks are split', async () => {
    await start()
    const head = `POST /transaction HTTP/1.1\r\n${h2c}Content-Type: application/x-codec\r\nTransfer-Encoding: chunked\r\n\r\n`
    const chunked = (body: Buffer, size: number): Buffer => {
      const parts: Buffer[] = [Buffer.from(head)]
      for (let at = 0; at < body.length; at += size) {
        const part = body.subarray(at, at + size)
        parts.push(Buffer.from(`${part.length.toString(16)};x=1\r\n`), part, Buffer.from('\r\n'))
      }
      return Buffer.concat([...parts, Buffer.from('0\r\nX-Trailer: 1\r\n\r\n')])
    }
    for (const [index, size] of [7, 100_000].entries()) {
      const body = TRANSACTION_FRAME.wrap(await signedBytes(2 + index))
      expect(await exchange(chunked(body, size))).toMatch(/^HTTP\/1\.1 202 /)
    }
    for (const broken of ['zz\r\n', '5\r\nab', '2\r\nabc\r\n', `${'1'.repeat(300)}\r\n`, '-1\r\n']) {
      expect(await exchange(Buffer.from(`${head}${broken}\r\n0\r\n\r\n`))).toMatch(/^HTTP\/1\.1 400 /)
    }
    const both = head.replace('Transfer-Encoding', 'Content-Length: 5\r\nTransfer-Encoding')
    expect(await exchange(Buffer.from(`${both}0\r\n\r\n`))).toMatch(/^HTTP\/1\.1 400 /)
  })
})

describe('a body with an Upgrade header for another protocol', () => {
  const h2c = 'Host: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n'

  it('is rejected by its length if no route reads it, because the request would not end', async () => {
    await start()
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const head = `${method} /v1/events/sse HTTP/1.1\r\n${h2c}Content-Length: 900000000000000\r\n\r\n`
      expect(await exchange(Buffer.from(head))).toMatch(/^HTTP\/1\.1 413 /)
    }
  })

  it('is read at the pace of its handler, for any length', async () => {
    await start()
    const body = Buffer.alloc(900 * 1024, 7)
    const head = `POST /transaction HTTP/1.1\r\n${h2c}Content-Type: application/x-codec\r\nContent-Length: ${body.length}\r\n\r\n`
    expect(await exchange(Buffer.concat([Buffer.from(head), body]))).toMatch(/^HTTP\/1\.1 4\d\d /)
  })
})

describe('a slow body with an Upgrade header for another protocol', () => {
  it('has the timeout of any other body', async () => {
    await start({ headersTimeoutMs: 400, requestTimeoutMs: 500 })
    const head =
      'POST /transaction HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: x\r\nContent-Length: 1000000\r\n\r\n'
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {})
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    await new Promise<void>((resolve) => socket.once('connect', resolve))
    socket.write(head)
    const drip = setInterval(() => socket.write('x'), 100)
    await closed
    clearInterval(drip)
    expect(socket.bytesWritten).toBeLessThan(head.length + 1_000)
  })
})

describe('streams on one connection', () => {
  it('are rejected after the first one, and further input is soon no longer read', async () => {
    await start({ rateLimit: undefined })
    const request = `GET /v1/events/sse HTTP/1.1\r\nhost: localhost\r\nx-pad: ${'x'.repeat(1_000)}\r\n\r\n`
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('data', () => {})
    await new Promise<void>((resolve) => socket.once('connect', resolve))
    for (let sent = 0; sent < 4_000; sent += 1) socket.write(request)
    const streams = async (): Promise<number> => {
      const { values } = await metricsOf(node.services.metrics).gateway.streams.get()
      return values.reduce((sum, { value }) => sum + value, 0)
    }
    await until('the first stream', async () => ((await streams()) > 0 ? true : undefined))
    await pause(300)
    expect(await streams()).toBe(1)
    // Data that was not read waits at the client.
    expect(socket.writableLength).toBeGreaterThan(0)
    socket.destroy()
  })
})

describe('a stream that loses its permission', () => {
  const token = (name: string) => ({ name, sha256: createHash('sha256').update(name).digest('hex') })

  it('ends when its token is withdrawn, or a token becomes required; others continue', async () => {
    await start({ apiTokens: [token('one'), token('two')], requireApiToken: false })
    const by = (name?: string) =>
      SocketReader.open(`${url}/events`, SUBSCRIBE, name === undefined ? {} : { 'x-api-token': name })
    const [none, one, two] = await Promise.all([by(), by('one'), by('two')])
    await Promise.all([none, one, two].map((reader) => reader.count(1)))
    gateway.configure({ ...gateway.config, apiTokens: [token('two')], requireApiToken: true })
    await Promise.all([none, one].map((reader) => reader.until(() => reader.closed !== undefined)))
    expect([none.closed?.code, one.closed?.code, two.closed]).toEqual([4401, 4401, undefined])
    two.socket.close()
  })
})

describe('a stream opened with a session', () => {
  /** A gateway with an operator, and the headers of two sessions. */
  async function sessionsOf(): Promise<[OperatorSessions, string, string]> {
    const sessions = new OperatorSessions()
    const operator = formatPublicKey(alice.publicKey)
    await start({ operatorKeys: [operator], telemetryProfile: 'disabled' }, { sessions })
    const account = accountOf(alice)
    return [sessions, sessions.open(account, monotonicMs), sessions.open(account, monotonicMs)]
  }
  const socketBy = (session: string) => SocketReader.open(`${url}/events`, SUBSCRIBE, { [SESSION_HEADER]: session })
  const statusBy = (session: string) => SseReader.open(`${url}/v1/consensus/status/sse`, { [SESSION_HEADER]: session })

  it('ends with that session, but streams of other sessions or without one continue', async () => {
    const [sessions, first, second] = await sessionsOf()
    const [ended, other] = await Promise.all([socketBy(first), socketBy(second)])
    const none = await SocketReader.open(`${url}/events`, SUBSCRIBE)
    const status = await statusBy(first)
    await Promise.all([ended, other, none].map((reader) => reader.count(1)))
    await status.until(() => status.events.length > 0)
    sessions.end(first)
    await ended.until(() => ended.closed !== undefined)
    await status.until(() => status.ended)
    expect(ended.closed?.code).toBe(4401)
    expect(status.events.at(-1)).toMatchObject({ event: 'end', data: { code: 'unauthorised' } })
    expect([other.closed, none.closed]).toEqual([undefined, undefined])
    sessions.endAll(accountOf(alice))
    await other.until(() => other.closed !== undefined)
    expect([other.closed?.code, none.closed]).toEqual([4401, undefined])
    none.socket.close()
  })

  it('ends when the session expires', async () => {
    const [, token] = await sessionsOf()
    const reader = await socketBy(token)
    await reader.count(1)
    monotonicMs += SESSION_MS
    await reader.until(() => reader.closed !== undefined)
    expect(reader.closed?.code).toBe(4401)
  })

  it('ends with its first frame if the session was ended before', async () => {
    const [sessions, token] = await sessionsOf()
    const reader = await SocketReader.open(`${url}/events`, undefined, { [SESSION_HEADER]: token })
    sessions.end(token)
    reader.socket.send(SUBSCRIBE)
    await reader.until(() => reader.closed !== undefined)
    expect(reader.closed?.code).toBe(4401)
  })
})

describe('an idle stream', () => {
  it('sends comments if it uses Server-Sent Events', async () => {
    await start()
    const reader = await SseReader.open(`${url}/v1/events/sse`)
    await reader.until(() => reader.text.includes('subscribed'))
    monotonicMs += SSE_KEEPALIVE_MS
    await reader.until(() => reader.text.includes(': keepalive\n\n'))
    reader.close()
  })

  it('sends pings if it is a WebSocket, and ends if there is no pong', async () => {
    await start()
    const answering = await SocketReader.open(`${url}/events`, SUBSCRIBE)
    const dumb = await SocketReader.open(`${url}/events`, SUBSCRIBE)
    await Promise.all([answering.count(1), dumb.count(1)])
    // Automatic response of the library to an incoming ping.
    ;(dumb.socket as unknown as { _autoPong: boolean })._autoPong = false
    let pings = 0
    answering.socket.on('ping', () => {
      pings += 1
    })
    for (let round = 0; round <= PONGS_MISSED_MAX; round++) {
      monotonicMs += PING_MS
      const before = pings
      await pause(TICK_MS)
      while (pings === before && round < PONGS_MISSED_MAX) await pause(20)
    }
    await dumb.until(() => dumb.closed !== undefined)
    expect(answering.closed).toBeUndefined()
    answering.socket.close()
  })
})
