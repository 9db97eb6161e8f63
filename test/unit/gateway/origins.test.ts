/** Which sites a browser may speak for: names of the gateway, and pages that may act through it. */
import { describe, expect, it } from 'vitest'
import { defineRoute, handle, routeTable } from '../../../src/api/index.js'
import type { GatewayConfig } from '../../../src/gateway/index.js'
import { FakeNode, gatewayOf } from './support.js'

const row = defineRoute<undefined, undefined, Uint8Array, undefined>({
  id: 'act',
  method: 'POST',
  path: '/v1/act',
  summary: '',
  access: 'public',
  format: 'json',
  body: { as: 'bytes', types: ['application/xml'], maxBytes: 100_000 },
})
const act = (): { value: string } => ({ value: '{}' })

async function codeOf(
  request: { method?: 'GET' | 'POST'; url?: string; headers?: Record<string, string>; payload?: string },
  config: Partial<GatewayConfig> = {},
): Promise<string | number> {
  const gateway = gatewayOf(new FakeNode(), config, {
    routes: routeTable(row),
    handlers: new Map([handle(row, act)]),
  })
  const { method = 'GET', url = '/status', ...rest } = request
  const answer = await gateway.inject({ method, url, ...rest })
  await gateway.close()
  return answer.statusCode === 200 ? 200 : `${answer.statusCode} ${(JSON.parse(answer.body) as { code: string }).code}`
}
const withHost = (host: string, url = '/status') => ({ url, headers: { host } })

describe('a Host header', () => {
  it.each([
    'localhost',
    'localhost:29100',
    'LOCALHOST.',
    'me.localhost:1',
    '127.0.0.1:8080',
    '[::1]:8080',
    '10.1.2.3',
    '[fe80::1]',
  ])('%s is accepted as a name of the gateway by default', async (host) => {
    expect(await codeOf(withHost(host))).toBe(200)
  })

  it.each(['evil.example', 'evil.example:8080', 'localhost.evil.example', '127.0.0.1.evil.example', 'notlocalhost'])(
    '%s is rejected as a name of another host',
    async (host) => {
      expect(await codeOf(withHost(host))).toBe('421 misdirected_request')
    },
  )

  it.each([
    '[127.0.0.1].evil.example',
    '[::1].evil.example',
    '[::1]evil.example:8080',
    '[127.0.0.1]',
    '[::1',
    '::1',
    'localhost:80:80',
    'localhost:8o80',
    'user@localhost',
    'local host',
    'localhost/evil.example',
  ])('%s is malformed', async (host) => {
    expect(await codeOf(withHost(host))).toBe('400 malformed_request')
    expect(await codeOf(withHost(host), { hosts: ['evil.example'] })).toBe('400 malformed_request')
  })

  it('with a configured name is accepted with any port', async () => {
    const hosts = ['node.example']
    expect(await codeOf(withHost('Node.Example:443'), { hosts })).toBe(200)
    expect(await codeOf(withHost('other.node.example'), { hosts })).toBe('421 misdirected_request')
  })

  it('is ignored for /health, since orchestrators may use any name', async () => {
    expect(await codeOf(withHost('evil.example', '/health'))).toBe(200)
  })
})

describe('the origin check of a request', () => {
  const post = (headers: Record<string, string>) => ({
    method: 'POST' as const,
    url: '/v1/act',
    headers: { 'content-type': 'application/xml', host: 'localhost:8080', ...headers },
    payload: '<x/>',
  })

  it('rejects a page of another origin', async () => {
    for (const origin of ['http://evil.example', 'http://localhost:9090', 'null']) {
      expect(await codeOf(post({ origin }))).toBe('403 forbidden')
    }
    expect(await codeOf(post({ 'sec-fetch-site': 'cross-site' }))).toBe('403 forbidden')
  })

  it('accepts a page of the gateway or of a listed origin', async () => {
    const wallet = 'https://wallet.example'
    expect(await codeOf(post({ origin: 'http://localhost:8080' }))).toBe(200)
    expect(await codeOf(post({ origin: wallet, 'sec-fetch-site': 'cross-site' }), { corsOrigins: [wallet] })).toBe(200)
  })

  it('accepts a request that was not sent by a page', async () => {
    expect(await codeOf(post({}))).toBe(200)
    expect(await codeOf(post({ 'sec-fetch-site': 'none' }))).toBe(200)
  })

  it('rejects plain text, which a page can send without a preflight', async () => {
    expect(await codeOf(post({ 'content-type': 'text/plain' }))).toBe('415 unsupported_media_type')
  })
})

describe('the byte rate limit', () => {
  it('counts body bytes per address, and JSON bytes sixteenfold', async () => {
    const gateway = gatewayOf(
      new FakeNode(),
      { rateBytesPerSecond: 10_000, rateLimit: { perSecond: 1_000, burst: 1_000 } },
      {
        routes: routeTable(row),
        handlers: new Map([handle(row, act)]),
        clocks: { wallMs: () => 0, monotonicMs: () => 0 },
      },
    )
    const send = async (bytes: number, type = 'application/xml') =>
      (
        await gateway.inject({
          method: 'POST',
          url: '/v1/act',
          headers: { 'content-type': type },
          payload: Buffer.alloc(bytes, 0x20),
        })
      ).statusCode
    expect([await send(19_000), await send(19_000), await send(19_000)]).toEqual([200, 200, 429])
    expect([await send(1_000), await send(900)]).toEqual([200, 200])
    // It is another type, but what is left is not enough to hear that.
    expect(await send(100, 'application/json')).toBe(429)
    await gateway.close()
  })
})
