/** The route tables of the specification, row by row: a route that is missing, renamed or of another format fails here. */
import { afterAll, describe, expect, it } from 'vitest'
import type { AnyRoute } from '../../../src/api/index.js'
import { CORE_ROUTES } from '../../../src/gateway/index.js'
import { FakeNode, gatewayOf } from './support.js'

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

/** What the answer to a GET without Accept begins its media type with. */
const TYPES: Readonly<Partial<Record<Format, string>>> = {
  JSON: 'application/json',
  Metrics: 'text/plain; version=0.0.4',
  'Binary or JSON': 'application/x-codec',
}

describe('the route tables of the specification', () => {
  const gateway = gatewayOf(new FakeNode(), { telemetryProfile: 'full' })
  afterAll(() => gateway.close())

  it.each(ROWS)('%s %s is served as %s', async (method, path, format) => {
    const row = CORE_ROUTES.find((one) => one.path === path && one.method === method)
    expect(row?.format, `${method} ${path}`).toBe(FORMATS[format])
    const document = JSON.parse((await gateway.inject({ url: '/openapi' })).body) as {
      paths: Record<string, Record<string, unknown>>
    }
    expect(document.paths[path]?.[method.toLowerCase()]).toBeDefined()
    const type = TYPES[format]
    if (method !== 'GET' || type === undefined) return
    const url = path.replace('{height}', '3').replace('{hash}', '0'.repeat(64))
    const answer = await gateway.inject({ url })
    if (path.endsWith('{height}')) expect(answer.statusCode).toBe(404)
    else expect(answer.statusCode, answer.body).toBe(200)
    if (answer.statusCode === 200) expect(String(answer.headers['content-type']).startsWith(type)).toBe(true)
  })

  it('are complete: no other path of these families has a name that they do not know', () => {
    const families = ['/v1/runtime/', '/v1/time/']
    const known = new Set<string>(ROWS.map(([method, path]) => `${method} ${path}`))
    const own = CORE_ROUTES.filter((row) => families.some((family) => row.path.startsWith(family)))
    expect(own.map((row) => `${row.method} ${row.path}`).filter((one) => !known.has(one))).toEqual([])
  })
})
