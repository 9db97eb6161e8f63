/** Files of a site over HTTP: which names there are, in which form they leave, what caches keep, who may read them. */
import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { Site } from '../../../src/api/site.js'
import type { Gateway, GatewayConfig } from '../../../src/gateway/index.js'
import { FakeNode, gatewayOf } from './support.js'

const SCRIPT = Buffer.from('console.log(1)')
const file = (bytes: Buffer, immutable: boolean, type: string) => ({
  type,
  tag: `t${bytes.length}`,
  immutable,
  bytes,
  encoded: { br: Buffer.from('BR'), gzip: Buffer.from('GZ') },
})
const PAGE = file(Buffer.from('<!doctype html>'), false, 'text/html; charset=utf-8')
const SITE: Site = {
  home: '/explorer/',
  files: new Map([
    ['', PAGE],
    ['index.html', PAGE],
    ['main-1.js', file(SCRIPT, true, 'text/javascript; charset=utf-8')],
  ]),
  headers: { 'content-security-policy': "default-src 'none'" },
}

let gateway: Gateway
const serve = (config: Partial<GatewayConfig> = {}, site: Site | 'none' = SITE): void => {
  gateway = gatewayOf(new FakeNode(), config, site === 'none' ? {} : { site })
}
afterEach(() => gateway.close())
const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS' = 'GET') =>
  gateway.inject({ url, method, headers: { host: '127.0.0.1', ...headers } })

describe('a static site', () => {
  it('is the redirect target of the root path, and its headers restrict the page', async () => {
    serve()
    for (const url of ['/', '/explorer']) {
      const { statusCode, headers } = await ask(url)
      expect([statusCode, headers.location]).toEqual([302, '/explorer/'])
    }
    const { statusCode, headers, body } = await ask('/explorer/')
    expect([statusCode, body]).toEqual([200, '<!doctype html>'])
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
      'accept-ranges': 'none',
    })
  })

  it('is sent in an accepted encoding, with a separate tag for each encoding', async () => {
    serve()
    const forms = async (encodings: string) => {
      const { headers, body } = await ask('/explorer/main-1.js', { 'accept-encoding': encodings })
      expect(headers).toMatchObject({ vary: 'accept-encoding', 'cache-control': 'public, max-age=31536000, immutable' })
      return [headers['content-encoding'], body, headers.etag]
    }
    expect(await forms('gzip, deflate, br')).toEqual(['br', 'BR', '"t14-br"'])
    expect(await forms('GZIP;q=0.5, br;q=0')).toEqual(['gzip', 'GZ', '"t14-gzip"'])
    expect(await forms('identity')).toEqual([undefined, 'console.log(1)', '"t14"'])
    expect(await forms('')).toEqual([undefined, 'console.log(1)', '"t14"'])
  })

  it('is not sent again if cached, and is sent completely for a range request', async () => {
    serve()
    for (const tag of ['"t14"', 'W/"t14"', '"x", "t14"', '*']) {
      const { statusCode, headers, body } = await ask('/explorer/main-1.js', { 'if-none-match': tag })
      expect([statusCode, body, headers['content-length'], headers.etag]).toEqual([304, '', undefined, '"t14"'])
    }
    expect((await ask('/explorer/main-1.js', { 'if-none-match': '"t14-br"' })).statusCode).toBe(200)
    const part = await ask('/explorer/main-1.js', { range: 'bytes=0-3' })
    expect([part.statusCode, part.body]).toEqual([200, 'console.log(1)'])
    const head = await ask('/explorer/main-1.js', {}, 'HEAD')
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '14'])
  })

  it('is served only under its exact names', async () => {
    serve()
    const names = ['x', 'main-1.js/', '//', '%6dain-1.js', '..%2f..%2fetc%2fpasswd', '__proto__', 'main-1.js%00', 'main-1.js.br'] // biome-ignore format: one line
    for (const name of names) {
      const { statusCode, json } = await ask(`/explorer/${name}`)
      expect([name, statusCode, json().code]).toEqual([name, 404, 'route_not_found'])
    }
    expect((await ask('/explorer/main-1.js?x=/../..')).statusCode).toBe(200)
    expect((await ask('/explorer/', {}, 'POST')).statusCode).toBe(404)
  })

  it('serves no other file if a raw path contains .. segments', async () => {
    serve({ address: '127.0.0.1:0' })
    const { url } = await gateway.listen()
    const { hostname, port } = new URL(url)
    const raw = (path: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        request({ hostname, port, path }, (answer) => resolve(answer.resume().statusCode))
          .on('error', reject)
          .end()
      })
    for (const path of [
      '/explorer/../package.json',
      '/explorer/../../../../etc/passwd',
      '/explorer/..\\..\\x',
      '//explorer/',
    ])
      expect([path, await raw(path)]).toEqual([path, 404])
  })

  it('requires no token even if the gateway does, and counts for the rate limit of an address', async () => {
    const token = { sha256: 'ab'.repeat(32) }
    serve({ requireApiToken: true, apiTokens: [token], rateLimit: { perSecond: 0.01, burst: 3 } })
    expect((await ask('/v1/explorer/blocks')).statusCode).toBe(401)
    expect((await ask('/explorer/')).statusCode).toBe(200)
    expect((await ask('/')).statusCode).toBe(302)
    expect((await ask('/explorer/')).json().code).toBe('rate_limited')
  })

  it('is not served under another host name, and grants no access to unlisted origins', async () => {
    serve({ corsOrigins: ['https://app.example'] })
    expect((await ask('/explorer/', { host: 'evil.example' })).json().code).toBe('misdirected_request')
    const { headers } = await ask('/explorer/', { origin: 'https://evil.example', 'accept-encoding': 'br' })
    expect([headers['access-control-allow-origin'], headers.vary]).toEqual([undefined, 'accept-encoding, origin'])
    const allowed = await ask('/explorer/', { origin: 'https://app.example' })
    expect(allowed.headers['access-control-allow-origin']).toBe('https://app.example')
  })

  it('is not served if the node has none', async () => {
    serve({}, 'none')
    for (const url of ['/', '/explorer', '/explorer/', '/explorer/main-1.js'])
      expect([url, (await ask(url)).statusCode]).toEqual([url, 404])
  })
})
