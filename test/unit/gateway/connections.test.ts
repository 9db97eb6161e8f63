/** Connections above a cap: answered once, before anything of them is read, and ended. */
import { Agent, request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterEach, expect, it } from 'vitest'
import { metricsOf } from '../../../src/api/metrics.js'
import { CausewayClient } from '../../../src/client/index.js'
import { REFUSED_AT_ONCE_MAX } from '../../../src/gateway/connections.js'
import type { Gateway, GatewayConfig } from '../../../src/gateway/index.js'
import { linkIdentity } from '../../../src/network/certificate.js'
import { FakeNode, gatewayOf } from './support.js'

const node = new FakeNode()
let gateway: Gateway | undefined
const open: Socket[] = []
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  await gateway?.close()
})

async function start(config: Partial<GatewayConfig>): Promise<{ url: string; port: number }> {
  gateway = gatewayOf(node, config)
  return gateway.listen()
}

/** Keeps a connection open that was answered once. */
async function held(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  open.push(socket)
  socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
  await new Promise((resolve) => socket.once('data', resolve))
  return socket
}

/** All that a connection is told until it is closed; '' for one that is ended without a word. */
const outputOf = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    socket.on('data', (bytes) => (text += bytes.toString('utf8')))
    socket.on('error', () => resolve(text))
    socket.on('close', () => resolve(text))
  })

it.each([
  ['of one address', { maxConnectionsPerAddress: 2 }, 'this address has 2 open connections'],
  ['in total', { maxConnections: 2 }, 'the node has 2 open connections'],
])(
  'a request above the connection cap %s is answered with 503 in the usual error format',
  async (_what, config, text) => {
    const { port } = await start(config)
    const [first] = [await held(port), await held(port)]
    const get = (): Promise<{ status: number | undefined; retryAfter: string | undefined; body: string }> =>
      new Promise((resolve, reject) => {
        const request = httpRequest({ port, path: '/health', agent: new Agent() }, async (answer) => {
          let body = ''
          for await (const part of answer) body += part
          resolve({ status: answer.statusCode, retryAfter: answer.headers['retry-after'], body })
        })
        request.on('error', reject).end()
      })
    const refused = await get()
    expect([refused.status, refused.retryAfter]).toEqual([503, '1'])
    expect(JSON.parse(refused.body)).toMatchObject({
      code: 'too_many_connections',
      message: expect.stringContaining(text),
      hint: expect.stringContaining('gateway.connections_per_address'),
      request_id: expect.any(String),
    })
    first?.destroy()
    await expect.poll(async () => (await get()).status).toBe(200)
  },
)

it('a silent or endless connection above the cap is answered with 503 and closed', async () => {
  const { port } = await start({ maxConnectionsPerAddress: 1 })
  await held(port)
  expect(await outputOf(connect(port, '127.0.0.1'))).toMatch(/^HTTP\/1\.1 503 /)
  const talking = connect(port, '127.0.0.1')
  const output = outputOf(talking)
  const line = Buffer.from(`${'x'.repeat(1_000)}\r\n`)
  const talk = (): void => {
    while (!talking.destroyed && talking.write(line));
  }
  talking.on('connect', talk).on('drain', talk)
  expect(await output).not.toContain('malformed_request')
})

it('existing connections are served during a connection flood, and no excess connection stays open', async () => {
  const { port } = await start({ maxConnectionsPerAddress: 2 })
  const [first] = [await held(port), await held(port)]
  const output = await Promise.all(Array.from({ length: 500 }, () => outputOf(connect(port, '127.0.0.1'))))
  expect(output.filter((text) => text.startsWith('HTTP/1.1 503 ')).length).toBeGreaterThanOrEqual(REFUSED_AT_ONCE_MAX)
  const answer = new Promise<string>((resolve) => first?.once('data', (bytes) => resolve(bytes.toString('utf8'))))
  first?.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
  expect(await answer).toMatch(/^HTTP\/1\.1 200 /)
  const { values } = await metricsOf(node.services.metrics).gateway.connections.get()
  expect(values[0]?.value).toBeLessThanOrEqual(2)
})

it('over TLS a connection above the cap is closed before the handshake', async () => {
  const { certificate, privateKey } = linkIdentity(Buffer.alloc(32, 7))
  const tls = { certificate, privateKey, expiresAtMs: Number.MAX_SAFE_INTEGER }
  const { port } = await start({ tls, maxConnectionsPerAddress: 1 })
  const first = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
  open.push(first)
  await new Promise((resolve) => first.once('secureConnect', resolve))
  expect(await outputOf(connect(port, '127.0.0.1'))).toBe('')
  const second = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await expect(
    new Promise((resolve, reject) => second.once('secureConnect', resolve).once('error', reject)),
  ).rejects.toMatchObject({ code: 'ECONNRESET' })
})

it('the client retries after the requested delay and succeeds once a connection is free', async () => {
  const { url, port } = await start({ maxConnectionsPerAddress: 1 })
  const first = await held(port)
  const client = new CausewayClient({ gateway: url })
  const read = client.height()
  setTimeout(() => first.destroy(), 100)
  expect(await read).toBe(7)
  const alone = new CausewayClient({ gateway: url, retries: 0 })
  await expect(alone.height()).rejects.toMatchObject({ code: 'too_many_connections', exit: 5 })
  await alone.close()
  await client.close()
})
