/** The route tables of the specification, row by row: a route that is missing, renamed or of another format fails here. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnyRoute, CODEC_MEDIA_TYPE, JSON_MEDIA_TYPE, TRANSACTION_FRAME } from '../../../src/api/index.js'
import { signQuery, signRequest } from '../../../src/client/index.js'
import { formatPublicKey } from '../../../src/crypto/index.js'
import { Documented } from '../../support/documented.js'
import { startOf } from '../../support/query.js'
import { SERVED_ROUTES } from '../../support/served-routes.js'
import { SocketReader } from './stream-readers.js'
import { alice, CHAIN, CODEC, FakeNode, gatewayOf, NETWORK_KEY, signedBytes } from './support.js'

/** Specification 4.1 and 4.2, as they stand there: method, path, format. */
const ROWS = [
  ['POST', '/transaction', 'Binary'],
  ['POST', '/query', 'Binary'],
  ['GET', '/events', 'WebSocket'],
  ['GET', '/block/stream', 'WebSocket'],
  ['GET', '/peers', 'JSON'],
  ['GET', '/health', 'JSON'],
  ['GET', '/v1/health', 'JSON'],
  ['GET', '/api_version', 'JSON'],
  ['GET', '/status', 'JSON'],
  ['GET', '/metrics', 'Metrics'],
  ['GET', '/schema', 'JSON'],
  ['GET', '/openapi', 'JSON'],
  ['GET', '/openapi.json', 'JSON'],
  ['GET', '/v1/parameters', 'JSON'],
  ['GET', '/v1/node/capabilities', 'JSON'],
  ['GET', '/v1/api/versions', 'JSON'],
  ['GET', '/v1/events/sse', 'SSE'],
  ['GET', '/v1/time/now', 'JSON'],
  ['GET', '/v1/time/status', 'JSON'],
  ['GET', '/v1/consensus/commit-certificates', 'JSON'],
  ['GET', '/v1/consensus/validator-sets', 'JSON'],
  ['GET', '/v1/consensus/validator-sets/{height}', 'JSON'],
  ['GET', '/v1/consensus/status', 'Binary or JSON'],
  ['GET', '/v1/consensus/status/sse', 'SSE'],
  ['GET', '/v1/consensus/leader', 'JSON'],
  ['GET', '/v1/consensus/qc', 'Binary or JSON'],
  ['GET', '/v1/consensus/checkpoints', 'JSON'],
  ['GET', '/v1/consensus/consensus-keys', 'JSON'],
  ['GET', '/v1/consensus/bls_keys', 'JSON'],
  ['GET', '/v1/consensus/phases', 'JSON'],
  ['GET', '/v1/consensus/rbc', 'JSON'],
  ['GET', '/v1/consensus/rbc/sessions', 'JSON'],
  ['GET', '/v1/consensus/pacemaker', 'JSON'],
  ['GET', '/v1/consensus/params', 'JSON'],
  ['GET', '/v1/consensus/collectors', 'JSON'],
  ['GET', '/v1/consensus/key-lifecycle', 'JSON'],
  ['GET', '/v1/consensus/telemetry', 'JSON'],
  ['GET', '/v1/consensus/evidence', 'JSON'],
  ['GET', '/v1/consensus/evidence/count', 'JSON'],
  ['POST', '/v1/consensus/evidence/submit', 'JSON'],
  ['GET', '/v1/consensus/commit_qc/{hash}', 'Binary or JSON'],
  ['GET', '/v1/runtime/abi/active', 'JSON'],
  ['GET', '/v1/runtime/abi/hash', 'JSON'],
  ['GET', '/v1/runtime/metrics', 'JSON'],
  ['GET', '/v1/runtime/upgrades', 'JSON'],
  ['POST', '/v1/runtime/upgrades/propose', 'JSON'],
  ['POST', '/v1/runtime/upgrades/activate/{id}', 'JSON'],
  ['POST', '/v1/runtime/upgrades/cancel/{id}', 'JSON'],
] as const

type Format = (typeof ROWS)[number][2]

const FORMATS: Readonly<Record<Format, AnyRoute['format']>> = {
  Binary: 'binary',
  JSON: 'json',
  SSE: 'sse',
  WebSocket: 'websocket',
  Metrics: 'metrics',
  'Binary or JSON': 'binary-or-json',
}

/** Beginning of the media type of the response to a GET without Accept. */
const TYPES: Readonly<Partial<Record<Format, string>>> = {
  JSON: 'application/json',
  Metrics: 'text/plain; version=0.0.4',
  'Binary or JSON': 'application/x-codec',
}

/** Rows of the node's table that stand in neither list: families of 4.3, and what this node has beyond the specification. */
const FAMILIES = [
  '/v1/accounts',
  '/v1/assets',
  '/v1/bridge/finality/',
  '/v1/controls/',
  '/v1/domains',
  '/v1/explorer/',
  '/v1/ledger/',
  '/v1/multisig/',
  '/v1/nfts',
  '/v1/operator/',
  '/v1/pipeline/',
  '/v1/transactions',
]
const ADDITIONS = [
  // The reference takes evidence there (notes of the reference, section 5).
  'POST /v1/consensus/evidence',
  'GET /v1/node/snapshots',
  'POST /v1/node/snapshots',
  'GET /v1/roles',
  'GET /v1/roles/{id}',
  'GET /v1/runtime/abis',
  'GET /v1/triggers',
  'GET /v1/triggers/{id}',
]

/** A body of each POST that has one, as small as it may be, and what it is answered. */
const HASH = '1'.repeat(64)
const manifest = { name: 'x', description: '', abi_version: 2, abi_hash: HASH, start_height: 9, end_height: 10 }
const POSTS: Readonly<Record<string, { readonly body?: object | Buffer; readonly answers: number }>> = {
  '/transaction': { body: TRANSACTION_FRAME.wrap(await signedBytes(1)), answers: 202 },
  '/query': { body: await signQuery(startOf(), alice, { chain: CHAIN, codec: CODEC, nonce: 1 }), answers: 200 },
  '/v1/consensus/evidence/submit': { body: { evidence_hex: '00' }, answers: 400 },
  '/v1/runtime/upgrades/propose': { body: manifest, answers: 200 },
  '/v1/runtime/upgrades/activate/{id}': { answers: 404 },
  '/v1/runtime/upgrades/cancel/{id}': { answers: 404 },
}

describe('the route tables of the specification', () => {
  const gateway = gatewayOf(new FakeNode(), {
    telemetryProfile: 'full',
    operatorKeys: [formatPublicKey(alice.publicKey)],
  })
  let documented: Documented
  let base = ''
  beforeAll(async () => {
    documented = await Documented.of(gateway, CODEC)
    base = (await gateway.listen()).url
  })
  afterAll(() => gateway.close())
  const rowOf = (method: string, path: string): AnyRoute => {
    const row = SERVED_ROUTES.find((one) => one.path === path && one.method === method)
    if (row === undefined) throw new Error(`there is no ${method} ${path}`)
    return row
  }
  const targetOf = (path: string): string => path.replace('{height}', '3').replace('{hash}', HASH).replace('{id}', HASH)

  it.each(ROWS)('%s %s is served as %s', (method, path, format) => {
    expect(rowOf(method, path).format).toBe(FORMATS[format])
  })

  it.each(ROWS.filter(([method, , format]) => method === 'GET' && TYPES[format] !== undefined))(
    '%s %s returns its media type by default, and JSON if requested and supported',
    async (method, path, format) => {
      const url = targetOf(path)
      const plain = await gateway.inject({ url })
      documented.check(rowOf(method, path), plain)
      expect(plain.statusCode).toBe(path.endsWith('{height}') ? 404 : 200)
      if (plain.statusCode === 200) expect(plain.headers['content-type']).toMatch(TYPES[format] ?? '')
      const asJson = await gateway.inject({ url, headers: { accept: 'application/json' } })
      expect(asJson.statusCode).toBe(format === 'Metrics' ? 406 : plain.statusCode)
      expect(asJson.headers['content-type']).toMatch(/^application\/json/)
    },
  )

  it.each(ROWS.filter(([method]) => method === 'POST'))(
    '%s %s accepts the smallest body',
    async (method, path, format) => {
      const { body, answers } = POSTS[path] ?? { answers: 0 }
      const url = targetOf(path)
      const payload = Buffer.isBuffer(body) ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body))
      const type = Buffer.isBuffer(body) ? CODEC_MEDIA_TYPE : JSON_MEDIA_TYPE
      const answer = await gateway.inject({
        method,
        url,
        headers: {
          ...(body === undefined ? {} : { 'content-type': type }),
          ...(await signRequest({ chain: CHAIN, networkKey: NETWORK_KEY, method, target: url, body: payload }, alice)),
        },
        ...(body === undefined ? {} : { payload }),
      })
      documented.check(rowOf(method, path), answer)
      expect(answer.statusCode, answer.body).toBe(answers)
      const wanted = answers < 400 && format === 'Binary' ? CODEC_MEDIA_TYPE : JSON_MEDIA_TYPE
      expect(String(answer.headers['content-type']).split(';')[0]).toBe(wanted)
    },
  )

  it.each(ROWS.filter(([, , format]) => format === 'SSE'))('%s %s streams events', async (_, path) => {
    const stop = new AbortController()
    const answer = await fetch(`${base}${path}`, { signal: stop.signal })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    stop.abort()
  })

  it.each(ROWS.filter(([, , format]) => format === 'WebSocket'))('%s %s completes a handshake', async (_, path) => {
    const plain = await gateway.inject({ url: path })
    documented.check(rowOf('GET', path), plain)
    expect([plain.statusCode, plain.headers['upgrade']]).toEqual([426, 'websocket'])
    const reader = await SocketReader.open(`${base}${path}`)
    reader.socket.close()
    await reader.until(() => reader.closed !== undefined)
    expect(reader.closed?.code).toBe(1005)
  })

  it('cover every path of the node, except listed additions', () => {
    const known = new Set<string>([...ROWS.map(([method, path]) => `${method} ${path}`), ...ADDITIONS])
    const others = SERVED_ROUTES.filter(({ path }) => !FAMILIES.some((family) => path.startsWith(family)))
    const names = others.map((row) => `${row.method} ${row.path}`)
    expect(names.filter((one) => !known.has(one))).toEqual([])
    expect(ADDITIONS.filter((one) => !names.includes(one))).toEqual([])
  })
})
