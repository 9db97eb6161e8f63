/** Pages of other origins: nothing by default, exact origins when configured. */
import { describe, expect, it } from 'vitest'
import { FakeNode, gatewayOf, signedBytes } from './support.js'

const ORIGIN = 'https://wallet.example'
const PREFLIGHT = { origin: ORIGIN, 'access-control-request-method': 'POST' }
const cors = (headers: Record<string, unknown>): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-') || name === 'vary')

describe('CORS without configured origins', () => {
  it('sends no CORS headers and does not allow OPTIONS', async () => {
    const gateway = gatewayOf(new FakeNode())
    const answer = await gateway.inject({ url: '/health', headers: { origin: ORIGIN } })
    expect([answer.statusCode, cors(answer.headers)]).toEqual([200, []])
    const preflight = await gateway.inject({ method: 'OPTIONS', url: '/transaction', headers: PREFLIGHT })
    expect([preflight.statusCode, cors(preflight.headers)]).toEqual([405, []])
    await gateway.close()
  })
})

describe('CORS with configured origins', () => {
  const open = (config = {}) => gatewayOf(new FakeNode(), { corsOrigins: [ORIGIN, 'http://localhost:5173'], ...config })

  it('answers a preflight before any credential check', async () => {
    const token = { sha256: 'ab'.repeat(32) }
    const gateway = open({ apiTokens: [token], requireApiToken: true })
    const answer = await gateway.inject({ method: 'OPTIONS', url: '/transaction', headers: PREFLIGHT })
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    const { headers } = answer
    expect(headers['access-control-allow-origin']).toBe(ORIGIN)
    expect(headers['access-control-allow-methods']).toBe('GET, POST, DELETE, OPTIONS')
    expect(headers['access-control-max-age']).toBe('600')
    expect(headers['vary']).toBe('origin')
    expect(headers['access-control-allow-credentials']).toBeUndefined()
    const allowed = String(headers['access-control-allow-headers']).split(', ')
    const wanted = ['public-key', 'account', 'timestamp-ms', 'nonce', 'signature'].map((name) => `x-ledger-${name}`)
    expect(allowed).toEqual(expect.arrayContaining(['content-type', 'x-api-token', 'last-event-id', ...wanted]))
    await gateway.close()
  })

  it('allows a page to read responses and errors with their headers', async () => {
    const gateway = open()
    const body = await signedBytes(1)
    const headers = { origin: ORIGIN, 'content-type': 'application/x-codec' }
    for (const [url, status] of [
      ['/health', 200],
      ['/nowhere', 404],
    ] as const) {
      const answer = await gateway.inject({ url, headers: { origin: ORIGIN } })
      expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([status, ORIGIN])
    }
    const refused = await gateway.inject({ method: 'POST', url: '/transaction', headers, payload: body.subarray(1) })
    expect(refused.statusCode).toBeGreaterThanOrEqual(400)
    const exposed = String(refused.headers['access-control-expose-headers']).split(', ')
    expect(exposed).toEqual(
      expect.arrayContaining([
        'x-ledger-reject-code',
        'x-ledger-lane-id',
        'retry-after',
        'location',
        'x-ratelimit-reset',
      ]),
    )
    await gateway.close()
  })

  it.each(['https://wallet.example.evil', 'http://wallet.example', 'https://wallet.example:444', 'null'])(
    'treats the origin %s as not listed',
    async (origin) => {
      const gateway = open()
      const answer = await gateway.inject({ url: '/health', headers: { origin } })
      expect([answer.statusCode, cors(answer.headers)]).toEqual([200, ['vary']])
      const preflight = await gateway.inject({ method: 'OPTIONS', url: '/health', headers: { ...PREFLIGHT, origin } })
      expect([preflight.statusCode, cors(preflight.headers)]).toEqual([405, ['vary']])
      await gateway.close()
    },
  )

  it('rejects a plain OPTIONS request, and counts preflights for the rate limit', async () => {
    const gateway = open({ rateLimit: { perSecond: 1, burst: 2 } })
    const options = (headers: Record<string, string>) => gateway.inject({ method: 'OPTIONS', url: '/health', headers })
    expect((await options({ origin: ORIGIN })).statusCode).toBe(405)
    const statuses = [await options(PREFLIGHT), await options(PREFLIGHT)].map((answer) => answer.statusCode)
    expect(statuses).toEqual([204, 429])
    await gateway.close()
  })
})
