/** A halted node: it reports the halt, serves its status and blocks, and neither serves its state nor accepts input. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CLOSE_CODES, TRANSACTION_FRAME } from '../../../src/api/index.js'
import type { Gateway } from '../../../src/gateway/index.js'
import { SERVED_ROUTES } from '../../support/served-routes.js'
import { SocketReader, SseReader } from './stream-readers.js'
import { consensusRecord, FakeNode, gatewayOf, signedBytes } from './support.js'

const HALT = { height: 8, reason: 'table balances, row 00ff: stored and committed value differ' }

let node: FakeNode
let gateway: Gateway
beforeEach(() => {
  node = new FakeNode()
  gateway = gatewayOf(node, { telemetryProfile: 'full' })
})
afterEach(() => gateway.close())

const get = (url: string) => gateway.inject({ url, headers: { accept: 'application/json' } })

describe('a gateway of a halted node', () => {
  it('fails its health check with 503 node_halted, without Retry-After and without details of the fault', async () => {
    for (const url of ['/health', '/v1/health']) {
      expect((await get(url)).statusCode).toBe(200)
      node.haltWith(HALT)
      const answer = await get(url)
      expect([answer.statusCode, answer.headers['retry-after'], answer.headers['x-ledger-reject-code']]).toEqual([
        503,
        undefined,
        'node_halted',
      ])
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'node_halted', details: { height: 8 } })
      expect(answer.body).not.toContain('balances')
      node = new FakeNode()
      await gateway.close()
      gateway = gatewayOf(node, { telemetryProfile: 'full' })
    }
  })

  it('reports the reason in its status', async () => {
    expect(JSON.parse((await get('/status')).body)).not.toHaveProperty('halted')
    node.haltWith(HALT)
    expect(JSON.parse((await get('/status')).body)).toMatchObject({ halted: HALT.reason })
  })

  it('serves status, consensus, block and document routes, and answers all others with 503', async () => {
    node.haltWith(HALT)
    const answered: string[] = []
    for (const row of SERVED_ROUTES) {
      if (row.format === 'websocket' || row.id === 'consensus.status.sse') continue
      const { method } = row
      const url = row.path.replace(/\{[a-z_]+\}/g, '1')
      const answer = await gateway.inject({ method, url, headers: { accept: '*/*' } })
      if (answer.headers['x-ledger-reject-code'] !== 'node_halted') answered.push(row.id)
      else expect([row.id, answer.statusCode, answer.headers['retry-after']]).toEqual([row.id, 503, undefined])
    }
    expect(answered.sort()).toEqual([
      'api.version',
      'api.versions',
      'bridge.finality',
      'consensus.checkpoints',
      'consensus.collectors',
      'consensus.commit.certificates',
      'consensus.commit.qc',
      'consensus.leader',
      'consensus.pacemaker',
      'consensus.phases',
      'consensus.qc',
      'consensus.rbc',
      'consensus.rbc.sessions',
      'consensus.status',
      'consensus.telemetry',
      'explorer.block',
      'explorer.blocks',
      'ledger.block.proof',
      'ledger.headers',
      'metrics',
      'node.capabilities',
      'node.snapshots',
      'openapi',
      'openapi.json',
      'operator.auth.end',
      'operator.auth.session',
      'peers',
      'pipeline.recovery',
      'schema',
      'status',
      'time.now',
      'time.status',
    ])
  })

  it('accepts no transaction', async () => {
    node.haltWith(HALT)
    const payload = TRANSACTION_FRAME.wrap(await signedBytes(1))
    const answer = await gateway.inject({ method: 'POST', url: '/transaction', payload })
    expect([answer.statusCode, answer.headers['x-ledger-reject-code']]).toEqual([503, 'node_halted'])
    expect(node.submitted).toEqual([])
  })

  it('still returns 404 for unknown paths', async () => {
    node.haltWith(HALT)
    expect((await get('/v1/nothing')).statusCode).toBe(404)
  })
})

describe('streams of a halting node', () => {
  let url: string
  beforeEach(async () => {
    url = (await gateway.listen()).url
  })

  it('close with the reason for active and waiting readers, and no new stream opens', async () => {
    const events = await SocketReader.open(`${url}/events`, '{"filters":[]}')
    const blocks = await SocketReader.open(`${url}/block/stream`, '{"from_height":9}')
    await events.count(1)
    const pages = await Promise.all(
      ['/v1/events/sse', '/v1/explorer/blocks/stream'].map((path) => SseReader.open(`${url}${path}`)),
    )
    node.haltWith(HALT)
    for (const reader of [events, blocks]) {
      await reader.until(() => reader.closed !== undefined)
      expect(reader.closed).toEqual({ code: CLOSE_CODES.halted, reason: expect.stringContaining('halted at height 8') })
    }
    for (const page of pages) {
      await page.until(() => page.ended)
      const { event, data } = page.events.at(-1) ?? {}
      expect([event, data]).toMatchObject(['end', { code: 'node_halted' }])
    }
    expect((await fetch(`${url}/v1/events/sse`)).status).toBe(503)
    await expect(SocketReader.open(`${url}/events`)).rejects.toThrow('503')
  })

  it('stay open for the consensus status, and report the halt', async () => {
    const page = await SseReader.open(`${url}/v1/consensus/status/sse`)
    await page.until(() => page.events.length === 1)
    node.consensus = () => consensusRecord({ halted: HALT.reason })
    node.haltWith(HALT)
    await page.until(() => page.events.length === 2)
    expect(page.events.at(-1)?.data).toMatchObject({ halted: HALT.reason })
    expect(page.ended).toBe(false)
  })
})
