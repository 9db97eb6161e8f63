/** Trusted proxies: whose `X-Forwarded-For` counts, and for what. */
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { Gateway, GatewayConfig } from '../../../src/gateway/index.js'
import { proxyRangeFault, TrustedProxies } from '../../../src/gateway/trusted-proxies.js'
import { SseReader } from './stream-readers.js'
import { FakeNode, gatewayOf } from './support.js'

describe('the client address of a request', () => {
  const proxies = new TrustedProxies(['10.0.0.0/8', 'fd00::/8', '127.0.0.1/32'])
  const clientOf = (remoteAddress: string | undefined, forwarded?: string): string | undefined =>
    proxies.clientOf({
      socket: { remoteAddress },
      headers: { 'x-forwarded-for': forwarded },
    } as never as IncomingMessage)

  it.each([
    ['through one proxy', '10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['with an IPv6 address through one proxy', '10.0.0.1', '2001:db8::7', '2001:db8::7'],
    ['through an IPv6 proxy', 'fd00::1', '203.0.113.7', '203.0.113.7'],
    ['through an IPv4 proxy on an IPv6 socket', '::ffff:10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['through two proxies', '10.0.0.1', '203.0.113.7, 10.0.0.2', '203.0.113.7'],
    ['with entries that it sent itself', '10.0.0.1', '198.51.100.1, garbage,, 203.0.113.7,10.0.0.2', '203.0.113.7'],
    ['with a port', '10.0.0.1', '203.0.113.7:4711', '203.0.113.7'],
    ['with an IPv6 address and a port', '10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['that is a proxy itself', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ])('%s is the last address that does not belong to a trusted proxy', (_what, remote, forwarded, client) => {
    expect(clientOf(remote, forwarded)).toBe(client)
  })

  it.each([
    ['without the header', '10.0.0.1', undefined],
    ['with an empty header', '10.0.0.1', ''],
    ['with a header without an address', '10.0.0.1', 'unknown'],
    ['with an address that has a zone', '10.0.0.1', 'fe80::1%eth0'],
    ['with a short form of an address', '10.0.0.1', '203.7'],
    ['with an empty entry in place of its address', '10.0.0.1', '203.0.113.7,'],
    ['with a malformed entry before proxies', '10.0.0.1', '203.0.113.7, x, 10.0.0.2'],
    ['through more proxies than the limit', '10.0.0.1', `203.0.113.7${', 10.0.0.2'.repeat(16)}`],
    ['from an untrusted address', '203.0.113.9', '203.0.113.7'],
    ['without a known address', undefined, '203.0.113.7'],
  ])('%s is the peer address of the connection', (_what, remote, forwarded) => {
    expect(clientOf(remote, forwarded)).toBe(remote)
  })

  it('is found behind up to sixteen proxies', () => {
    expect(clientOf('10.0.0.1', `203.0.113.7${', 10.0.0.2'.repeat(15)}`)).toBe('203.0.113.7')
  })

  it('is the peer address of the connection if there are no trusted proxies', () => {
    const request = { socket: { remoteAddress: '10.0.0.1' }, headers: { 'x-forwarded-for': '203.0.113.7' } }
    expect(new TrustedProxies([]).clientOf(request as never as IncomingMessage)).toBe('10.0.0.1')
  })
})

it.each(['10.0.0.1', '10.0.0.0/33', '10.0.0.0/0', '::/0', 'fd00::/129', '10.1/16', 'proxy.example/8', '/8', ''])(
  '%j is rejected as a range of trusted proxies',
  (text) => {
    expect(proxyRangeFault(text)).toContain('expected a range')
    expect(() => gatewayOf(new FakeNode(), { trustedProxies: [text] })).toThrow('gateway.trusted_proxies')
  },
)

describe('a gateway behind a trusted proxy', () => {
  let gateway: Gateway
  const sockets: Socket[] = []
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await gateway.close()
  })
  const behind = (config: Partial<GatewayConfig> = {}): void => {
    gateway = gatewayOf(
      new FakeNode(),
      { trustedProxies: ['127.0.0.1/32'], rateLimit: { perSecond: 1, burst: 2 }, ...config },
      { clocks: { wallMs: () => Date.now(), monotonicMs: () => 0 } },
    )
  }
  const statusFor = async (client: string, remoteAddress = '127.0.0.1'): Promise<number> =>
    (await gateway.inject({ url: '/peers', remoteAddress, headers: { 'x-forwarded-for': client } })).statusCode

  it('limits each of its clients separately', async () => {
    behind()
    const first = [await statusFor('203.0.113.7'), await statusFor('203.0.113.7'), await statusFor('203.0.113.7')]
    expect(first).toEqual([200, 200, 429])
    expect(await statusFor('203.0.113.8')).toBe(200)
    // Addresses written by a client before the entry of the proxy do not give it another bucket.
    expect(await statusFor('198.51.100.1, 203.0.113.7')).toBe(429)
  })

  it('limits clients that connect directly by their own address, even if they send the header', async () => {
    behind()
    const sent = ['203.0.113.1', '203.0.113.2', '203.0.113.3']
    const statuses: number[] = []
    for (const client of sent) statuses.push(await statusFor(client, '203.0.113.9'))
    expect(statuses).toEqual([200, 200, 429])
  })

  it('can change its ranges at runtime', async () => {
    behind()
    gateway.configure({ ...gateway.config, trustedProxies: [] })
    const statuses = [await statusFor('203.0.113.1'), await statusFor('203.0.113.2'), await statusFor('203.0.113.3')]
    expect(statuses).toEqual([200, 200, 429])
  })

  it('does not count connections of the proxy for the limit of one address', async () => {
    behind({ maxConnectionsPerAddress: 1 })
    const { port } = await gateway.listen()
    const answered = async (): Promise<string> => {
      const socket = connect(port, '127.0.0.1')
      sockets.push(socket)
      socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
      return new Promise((resolve) => socket.once('data', (bytes) => resolve(bytes.toString('utf8').slice(0, 12))))
    }
    expect([await answered(), await answered(), await answered()]).toEqual(Array(3).fill('HTTP/1.1 200'))
  })

  it('gives each of its clients a share of the streams', async () => {
    behind({ maxConnectionsPerAddress: 2, rateLimit: undefined })
    const { url } = await gateway.listen()
    const open = async (client: string): Promise<number | undefined> => {
      const { response } = await SseReader.open(`${url}/v1/events/sse`, { 'x-forwarded-for': client })
      sockets.push(response.socket)
      return response.statusCode
    }
    const own = [await open('203.0.113.7'), await open('203.0.113.7'), await open('203.0.113.7')]
    expect(own).toEqual([200, 200, 503])
    expect(await open('203.0.113.8')).toBe(200)
  })
})
