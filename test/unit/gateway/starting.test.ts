/** Responses of a node before it has a ledger, and the takeover of the address by the gateway. */
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { CODEC_MEDIA_TYPE, ERROR_FRAME } from '../../../src/api/index.js'
import { CausewayClient } from '../../../src/client/index.js'
import { type GatewayConfig, StartingGateway } from '../../../src/gateway/index.js'
import { FakeNode, gatewayOf } from './support.js'

const ADDRESS = '127.0.0.1:0'
const cleanup: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo()
})

/** A starting gateway with the gateway that it is for. */
async function starting(config: Partial<GatewayConfig> = {}) {
  let height = 0
  const first = await StartingGateway.listen(
    { address: ADDRESS, ...config },
    { version: '0.1.0', height: () => height },
  )
  cleanup.push(() => first.close())
  const gateway = gatewayOf(new FakeNode(), config, { starting: first })
  cleanup.push(() => gateway.close())
  const address = first.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const url = `http://127.0.0.1:${port}`
  return { first, gateway, port, url, executed: (to: number) => (height = to) }
}

describe('a starting node', () => {
  it('is alive: /health reports the start and its progress', async () => {
    const { url, executed } = await starting()
    executed(41)
    for (const path of ['/health', '/v1/health']) {
      const answer = await fetch(`${url}${path}`)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
      expect(await answer.json()).toEqual({ status: 'starting', height: 41, version: '0.1.0' })
    }
    const head = await fetch(`${url}/health`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const client = new CausewayClient({ gateway: url, retries: 0 })
    cleanup.push(() => client.close())
    await expect(client.height()).rejects.toMatchObject({ code: 'node_starting' })
  })

  it('returns 503 node_starting with Retry-After for other requests, with any method, body or type', async () => {
    const { url } = await starting({ corsOrigins: ['https://wallet.example'] })
    for (const [path, init] of [
      ['/status', {}],
      ['/nowhere', {}],
      ['/health', { method: 'POST', body: 'x' }],
      ['/transaction', { method: 'POST', body: Buffer.alloc(300_000) }],
    ] as const) {
      const answer = await fetch(`${url}${path}`, init)
      const { headers } = answer
      expect([answer.status, headers.get('x-ledger-reject-code')]).toEqual([503, 'node_starting'])
      expect([headers.get('retry-after'), headers.get('x-content-type-options')]).toEqual(['1', 'nosniff'])
      expect(await answer.json()).toMatchObject({ code: 'node_starting', request_id: expect.any(String) })
    }
    const frame = await fetch(`${url}/status`, { headers: { accept: CODEC_MEDIA_TYPE } })
    const opened = ERROR_FRAME.open(Buffer.from(await frame.arrayBuffer()))
    expect(opened.ok && opened.value.code).toBe('node_starting')
    const page = await fetch(`${url}/status`, { headers: { origin: 'https://wallet.example' } })
    expect(page.headers.get('access-control-allow-origin')).toBe('https://wallet.example')
  })

  it('ends event streams at once so that browsers reconnect, and answers HEAD and others with 503', async () => {
    const { url } = await starting({ corsOrigins: ['https://wallet.example'] })
    const headers = { accept: 'text/event-stream', origin: 'https://wallet.example' }
    const answer = await fetch(`${url}/v1/events/sse`, { headers })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://wallet.example')
    expect(await answer.text()).toMatch(/^retry: \d+\n: the node is starting\n\n$/)
    expect((await fetch(`${url}/v1/events/sse`, { method: 'HEAD', headers })).status).toBe(503)
    expect((await fetch(`${url}/v1/events/sse`)).status).toBe(503)
    const client = new CausewayClient({ gateway: url, retries: 0 })
    cleanup.push(() => client.close())
    const events = client.events({ transport: 'sse' })[Symbol.asyncIterator]()
    await expect(events.next()).rejects.toMatchObject({ code: 'node_starting' })
  })

  it('rejects WebSockets', async () => {
    const { port } = await starting()
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(
          'GET /events HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
        ),
      )
      let text = ''
      socket.on('data', (bytes) => (text += bytes.toString()))
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 503 /)
    expect(answer).toContain('node_starting')
  })

  it('keeps its address, on which the gateway answers once it is ready', async () => {
    const { gateway, url, port } = await starting()
    expect((await fetch(`${url}/peers`)).status).toBe(503)
    expect(await gateway.listen()).toEqual({ host: '127.0.0.1', port, url })
    expect((await fetch(`${url}/peers`)).status).toBe(200)
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'healthy', height: 7 })
    await gateway.close()
    await expect(fetch(`${url}/health`)).rejects.toThrow()
  })

  it('frees the address if its start fails, even with a half-sent request', async () => {
    const { first, url, port } = await starting()
    const socket = connect(port, '127.0.0.1', () => socket.write('POST /transaction HTTP/1.1\r\ncontent-le'))
    socket.on('error', () => undefined)
    await new Promise<void>((resolve) => first.server.once('connection', () => resolve()))
    await first.close()
    await expect(fetch(`${url}/health`)).rejects.toThrow()
  })

  it('fails to start on a port that another program uses', async () => {
    const { port } = await starting()
    const other = StartingGateway.listen({ address: `127.0.0.1:${port}` }, { version: '0.1.0', height: () => 0 })
    await expect(other).rejects.toMatchObject({ code: 'address_in_use', details: { address: `127.0.0.1:${port}` } })
  })
})
