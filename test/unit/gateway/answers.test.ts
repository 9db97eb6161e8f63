/** Good answers: negotiation, receipts, lists, status records, the two documents. */

import { afterAll, describe, expect, it } from 'vitest'
import { routesOf } from '../../../src/api/feature.js'
import {
  CONSENSUS_STATUS_FRAME,
  consensusStatus,
  type HandlerInput,
  handle,
  RECEIPT_FRAME,
  TRANSACTION_FRAME,
} from '../../../src/api/index.js'
import type { NodeServices } from '../../../src/api/services.js'
import { toHex } from '../../../src/codec/index.js'
import { verifyEd25519 } from '../../../src/crypto/index.js'
import type { TransactionView } from '../../../src/features/explorer/schema/history.js'
import { isoSchema } from '../../../src/features/iso20022/schema/index.js'
import { isoStatus } from '../../../src/features/iso20022/schema/routes.js'
import { preferredType } from '../../../src/gateway/negotiate.js'
import {
  LedgerError,
  type Receipt,
  receipt,
  receiptSignBytes,
  signedTransaction,
  transactionId,
} from '../../../src/model/index.js'
import { SERVED_ROUTES } from '../../support/served-routes.js'
import { CODEC, consensusRecord, DOMAINS, FakeNode, gatewayOf, nodeKey, signedBytes } from './support.js'

const CODEC_TYPE = 'application/x-codec'
const JSON_TYPE = 'application/json'

describe('content negotiation', () => {
  const node = new FakeNode()
  const gateway = gatewayOf(node)
  afterAll(() => gateway.close())

  it.each([
    [undefined, CODEC_TYPE],
    ['', CODEC_TYPE],
    ['*/*', CODEC_TYPE],
    ['application/*', CODEC_TYPE],
    ['application/json', JSON_TYPE],
    ['APPLICATION/JSON', JSON_TYPE],
    ['application/json; charset=utf-8', JSON_TYPE],
    ['application/x-codec, application/json', CODEC_TYPE],
    // As generated clients send it, in the order of the document: the first one that is named.
    ['application/json, application/x-codec', JSON_TYPE],
    ['application/json, text/plain, */*', JSON_TYPE],
    ['application/json, application/x-codec;q=0.9', JSON_TYPE],
    ['application/x-codec;q=0.1, application/json;q=0.2', JSON_TYPE],
    ['*/*, application/x-codec;q=0', JSON_TYPE],
    ['application/json, */*;q=0.1', JSON_TYPE],
    ['text/html, */*;q=0.8', CODEC_TYPE],
    ['text/html', undefined],
    ['application/json;q=0', undefined],
    // As the world sends it: what is malformed is passed over.
    ['application/json;q=1.5', JSON_TYPE],
    ['application/json;q=1.0000, application/x-codec;q=0.8888', JSON_TYPE],
    ['application/json;q=.9', JSON_TYPE],
    ['application/json;profile="a,b;q=0", application/x-codec;q=0.1', JSON_TYPE],
    ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', CODEC_TYPE],
    ['*', CODEC_TYPE],
    ['*/*;q=.8', CODEC_TYPE],
    ['application/json;q=abc, text/html', undefined],
    ['application/json;q=abc', CODEC_TYPE],
    ['application', CODEC_TYPE],
    ['*/json', CODEC_TYPE],
    ['a/b/c', CODEC_TYPE],
    ['a/b/c, application/json', JSON_TYPE],
    ['"', CODEC_TYPE],
  ])('returns consensus status for Accept %j as %s', async (accept, type) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept }
    const answer = await gateway.inject({ url: '/v1/consensus/status', headers })
    if (type === undefined) expect(answer.statusCode).toBe(406)
    else expect([answer.statusCode, String(answer.headers['content-type']).split(';')[0]]).toEqual([200, type])
  })

  it('uses the most specific range', () => {
    expect(preferredType('*/*;q=1, application/*;q=0.2, application/json;q=0.3', [CODEC_TYPE, JSON_TYPE])).toBe(
      JSON_TYPE,
    )
    expect(preferredType(`${Array(64).fill('text/html').join(',')}, */*`, [JSON_TYPE])).toBeUndefined()
  })

  it('returns the same record in binary and in JSON', async () => {
    const binary = await gateway.inject({ url: '/v1/consensus/status' })
    const opened = CONSENSUS_STATUS_FRAME.open(binary.rawPayload)
    const json = await gateway.inject({ url: '/v1/consensus/status', headers: { accept: JSON_TYPE } })
    const parsed = consensusStatus.parseJson(json.rawPayload)
    expect(opened.ok && parsed.ok && opened.value).toEqual(parsed.ok && parsed.value)
    expect(JSON.parse(json.body)).toMatchObject({
      height: 7,
      state_root: '02'.repeat(32),
      commit_qc: { height: 7, view: 0, block_hash: '01'.repeat(32), signers: [0, 2] },
      phases: { prepare: { last_us: 1235, ema_us: 2500 } },
      stall: { reason: 'noQuorum', since_ms: 1235, missing: ['peer-4'] },
      halted: null,
    })
    node.consensus = () => consensusRecord({ commitQc: undefined, stall: undefined, halted: 'x'.repeat(1024) })
    const bare = await gateway.inject({ url: '/v1/consensus/status', headers: { accept: JSON_TYPE } })
    expect(JSON.parse(bare.body)).toMatchObject({ commit_qc: null, stall: null, halted: 'x'.repeat(1024) })
  })

  it('answers a HEAD request to a stream with the headers of the stream', async () => {
    const answer = await gateway.inject({ method: 'HEAD', url: '/v1/events/sse' })
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
  })

  it('answers a HEAD request like GET, but without a body', async () => {
    const answer = await gateway.inject({ method: 'HEAD', url: '/health' })
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(10)
  })
})

describe('submission', () => {
  const node = new FakeNode()
  const gateway = gatewayOf(node)
  afterAll(() => gateway.close())
  const post = (headers: Record<string, string>, payload: Buffer | string) =>
    gateway.inject({ method: 'POST', url: '/transaction', headers, payload })

  function checkReceipt(value: Receipt, bytes: Buffer): string {
    const decoded = signedTransaction.decode(bytes, CODEC)
    const id = transactionId(decoded.ok ? decoded.value.payload.bytes : Buffer.alloc(0))
    expect(toHex(value.transactionHash)).toBe(toHex(id))
    const { signature, ...body } = value
    expect(verifyEd25519(nodeKey.publicKey.bytes, receiptSignBytes(body), signature)).toBe(true)
    return toHex(id)
  }

  it('returns 202 with a signed receipt in a frame and the status URL', async () => {
    const bytes = await signedBytes(1)
    const answer = await post({ 'content-type': CODEC_TYPE }, TRANSACTION_FRAME.wrap(bytes))
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([202, CODEC_TYPE])
    const opened = RECEIPT_FRAME.open(answer.rawPayload)
    if (!opened.ok) throw new Error(opened.fault.message)
    const id = checkReceipt(opened.value, bytes)
    expect(answer.headers).toMatchObject({
      'x-ledger-lane-id': '0',
      'x-ledger-dataspace-id': '0',
      location: `/v1/pipeline/transactions/status?hash=${id}`,
    })
    expect(node.submitted.at(-1)?.equals(bytes)).toBe(true)
    const status = await gateway.inject({ url: String(answer.headers['location']) })
    expect(JSON.parse(status.body)).toMatchObject({
      kind: 'Transaction',
      content: { hash: id, status: { kind: 'Queued' }, resolved_from: 'queue', scope: 'auto', rejection: null },
    })
  })

  it('accepts JSON, submits the canonical bytes, and returns JSON on request', async () => {
    const bytes = await signedBytes(2)
    const decoded = signedTransaction.decode(bytes, CODEC)
    if (!decoded.ok) throw new Error(decoded.fault.message)
    const jsonForm = JSON.stringify(signedTransaction.toJson(decoded.value, CODEC), undefined, 2)
    const answer = await post({ 'content-type': 'application/json; charset=UTF-8', accept: JSON_TYPE }, jsonForm)
    expect(answer.statusCode).toBe(202)
    const parsed = receipt.parseJson(answer.rawPayload)
    if (!parsed.ok) throw new Error(parsed.fault.message)
    checkReceipt(parsed.value, bytes)
    expect(node.submitted.at(-1)?.equals(bytes)).toBe(true)
  })

  it('reports the position of a committed transaction and the reason of its rejection', async () => {
    const at = { height: 7, blockHash: Buffer.alloc(32, 9), index: 3, timeMs: 1, authority: '' }
    const place = { ...at, supersededBy: undefined, payments: [] }
    const hashes = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)] as const
    const bytes = (hash: string): Buffer => Buffer.from(hash, 'hex')
    node.committed.set(hashes[0], {
      ...place,
      hash: bytes(hashes[0]),
      outcome: { kind: 'approved', value: undefined } as never,
      rejection: undefined,
      rejectionText: undefined,
    })
    node.committed.set(hashes[1], {
      ...place,
      hash: bytes(hashes[1]),
      outcome: { kind: 'rejected', value: { code: 1, instruction: 2 } } as never,
      rejection: 'not_enough',
      rejectionText: 'the balance is 5, the amount 10',
    })
    node.pendingStates.set(hashes[2], { kind: 'expired' })
    const look = async (hash: string) =>
      (
        JSON.parse(
          (await gateway.inject({ url: `/v1/pipeline/transactions/status?hash=${hash}&scope=local` })).body,
        ) as {
          content: object
        }
      ).content
    expect(await look(hashes[0])).toEqual({
      hash: hashes[0],
      status: { kind: 'Applied', block_height: 7, block_hash: '09'.repeat(32), index: 3 },
      rejection: null,
      scope: 'local',
      resolved_from: 'state',
    })
    expect(await look(hashes[1])).toMatchObject({
      status: { kind: 'Rejected' },
      rejection: {
        code: 'not_enough',
        message: 'instruction 2: the balance is 5, the amount 10',
        instruction: 2,
      },
    })
    // A node that has the block of a snapshot alone has the words of the catalogue.
    node.committed.set(hashes[1], { ...(node.committed.get(hashes[1]) as TransactionView), rejectionText: undefined })
    expect(await look(hashes[1])).toMatchObject({
      rejection: { code: 'not_enough', message: 'instruction 2: the balance is smaller than the amount' },
    })
    expect(await look(hashes[2])).toMatchObject({ status: { kind: 'Expired', block_height: null } })
    node.pendingStates.set(hashes[2], { kind: 'queued' })
    expect(await look(hashes[2])).not.toHaveProperty('queue')
    expect(await look(`${hashes[2]}&place=true`)).toMatchObject({
      status: { kind: 'Queued' },
      queue: { lane: 1, ahead: 40, teu_ahead: 6_400 },
    })
    expect(await look(`${hashes[0]}&place=true`)).not.toHaveProperty('queue')
  })
})

describe('lists', () => {
  const gateway = gatewayOf(new FakeNode())
  afterAll(() => gateway.close())
  const read = async (search: string) =>
    JSON.parse((await gateway.inject({ url: `/v1/domains${search}` })).body) as {
      items: { id: string }[]
      next_cursor: string | null
      height: number
    }

  it('return all items once across pages of 100 by default', async () => {
    const seen: string[] = []
    let search = ''
    let pages = 0
    for (;;) {
      const page = await read(search)
      pages++
      expect(page.height).toBe(7)
      seen.push(...page.items.map((item) => item.id))
      if (page.next_cursor === null) break
      search = `?cursor=${encodeURIComponent(page.next_cursor)}`
    }
    expect([pages, seen]).toEqual([3, DOMAINS.map((domain) => domain.id)])
  })

  it('skip items by offset, and are empty beyond the end', async () => {
    expect((await read('?offset=120&limit=2')).items.map((item) => item.id)).toEqual(['d120', 'd121'])
    expect(await read('?offset=5000')).toEqual({ items: [], next_cursor: null, height: 7 })
    expect((await read('?limit=500')).items).toHaveLength(250)
  })
})

describe('routes of a feature', () => {
  it('parse their parameters, with keywords in any case, and appear in the OpenAPI document', async () => {
    const seen: unknown[] = []
    const refuse = handle(isoStatus, ({ params, query }: HandlerInput<NodeServices, unknown, unknown, unknown>) => {
      seen.push(params, query)
      return new LedgerError('iso_unknown_message', 'no such message')
    })
    const other = (row: { id: string }) => [row.id, refuse[1]] as const
    const gateway = gatewayOf(
      new FakeNode(),
      {},
      {
        routes: routesOf(isoSchema),
        handlers: new Map(routesOf(isoSchema).map((row) => (row.id === isoStatus.id ? refuse : other(row)))),
      },
    )
    for (const family of ['pacs009', 'Pacs009', 'PACS009']) {
      const answer = await gateway.inject({ url: `/v1/iso20022/status/a%2Fb?family=${family}` })
      expect([answer.statusCode, answer.headers['x-ledger-reject-code']]).toEqual([404, 'iso_unknown_message'])
      expect(seen.splice(0)).toEqual([{ msgId: 'a/b' }, { family: 'pacs009', submitter: undefined }])
    }
    const bad = await gateway.inject({ url: '/v1/iso20022/status/x?family=pacs010' })
    expect([bad.statusCode, bad.headers['x-ledger-reject-code']]).toEqual([400, 'validation_failed'])
    expect((await gateway.inject({ url: '/openapi' })).body).toContain('"/v1/iso20022/status/{msg_id}"')
    await gateway.close()
  })
})

describe('documents', () => {
  const node = new FakeNode()
  const gateway = gatewayOf(node, { telemetryProfile: 'full' })
  afterAll(() => gateway.close())

  it('the OpenAPI document lists exactly the route table, and every reference in it resolves', async () => {
    const text = (await gateway.inject({ url: '/openapi.json' })).body
    expect((await gateway.inject({ url: '/openapi' })).body).toBe(text)
    const document = JSON.parse(text) as {
      openapi: string
      paths: Record<string, Record<string, { operationId: string; parameters?: object[]; responses: object }>>
      components: { schemas: Record<string, unknown>; responses: Record<string, unknown> }
    }
    expect(document.openapi).toBe('3.1.0')
    const listed = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => `${operation.operationId} ${method.toUpperCase()} ${path}`),
    )
    expect(listed.sort()).toEqual(SERVED_ROUTES.map((row) => `${row.id} ${row.method} ${row.path}`).sort())
    for (const [, kind, name] of text.matchAll(/"#\/components\/(schemas|responses)\/([A-Za-z0-9]+)"/g)) {
      expect(Object.keys(document.components[kind as 'schemas']), name).toContain(name)
    }
    expect(document.paths['/v1/domains']?.['get']?.parameters).toMatchObject([
      { name: 'limit', in: 'query', required: false, schema: { type: 'integer' } },
      { name: 'cursor' },
      { name: 'offset' },
    ])
    expect(document.paths['/v1/accounts/{id}']?.['get']?.parameters).toMatchObject([{ name: 'id', in: 'path' }])
    expect(document.components.schemas).toHaveProperty('Instruction')
  })

  it('metrics follow the exposition format, and include the two names of the specification', async () => {
    await gateway.inject({ url: '/nope' })
    const answer = await gateway.inject({ url: '/metrics', headers: { accept: 'text/plain;version=0.0.4, */*;q=0.1' } })
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    const lines = answer.body.trimEnd().split('\n')
    const types = new Map<string, string>()
    for (const line of lines) {
      const type = /^# TYPE (\S+) (\S+)$/.exec(line)
      if (type !== null) {
        expect(types.has(type[1]!)).toBe(false)
        types.set(type[1]!, type[2]!)
      } else if (line !== '' && !line.startsWith('# HELP ')) {
        expect(line).toMatch(/^[a-z_:]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [-+0-9.eInfNa]+$/)
      }
    }
    for (const [name, type] of types) {
      expect(name).toMatch(
        /^(node|consensus|executor|gateway|iso|signer)_|^sumeragi_rbc_(store_pressure|backpressure_deferrals_total)$/,
      )
      // Rules of `promtool check metrics`.
      expect(name.endsWith('_total')).toBe(type === 'counter')
      expect(name).not.toMatch(/_(ms|milliseconds|microseconds)$/)
    }
    expect(types.get('sumeragi_rbc_store_pressure')).toBe('gauge')
    expect(types.get('sumeragi_rbc_backpressure_deferrals_total')).toBe('counter')
    expect(answer.body).toContain('gateway_http_requests_total{route="none",method="GET",status="404"} 1')
  })

  it('reports a missing parameter, without internal types', async () => {
    const { body, statusCode } = await gateway.inject({ url: '/v1/pipeline/transactions/status' })
    expect([statusCode, JSON.parse(body)]).toMatchObject([
      400,
      {
        code: 'validation_failed',
        message: 'hash: missing required parameter',
        details: { faults: [{ path: 'hash' }] },
      },
    ])
    const wrong = await gateway.inject({ url: '/v1/accounts/alice@d000/statement?limit=0' })
    expect(JSON.parse(wrong.body)).toMatchObject({
      code: 'invalid_pagination',
      message: 'limit: limit must be between 1 and 500',
    })
  })

  it('reliable broadcast status is available to developers, in total and per session', async () => {
    const open = gatewayOf(new FakeNode(), { telemetryProfile: 'developer' })
    const read = async (url: string) => JSON.parse((await open.inject({ url })).body) as object
    const backlog = { tx_count: 5, total_chunks: 2, pending_chunks: 1, rbc_bytes_total: 900, teu: 50 }
    expect(await read('/v1/consensus/rbc')).toMatchObject({
      data_availability: true,
      sessions_active: 1,
      store_pressure: 1,
      backpressure_deferrals_total: 2,
      missing_chunks: 1,
      lane_backlog: [{ lane_id: 0, ...backlog }],
      dataspace_backlog: [{ dataspace_id: '7', ...backlog }],
    })
    expect(await read('/v1/consensus/rbc/sessions')).toMatchObject({
      sessions_active: 1,
      items: [
        {
          block_hash: '08'.repeat(32),
          height: 8,
          view: 1,
          total_chunks: 2,
          received_chunks: 1,
          ready_count: 2,
          deliver_count: 1,
          delivered: false,
          age_ms: 13,
          lane_backlog: [{ lane_id: 0, ...backlog }],
          dataspace_backlog: [{ dataspace_id: '7', ...backlog }],
        },
      ],
    })
    await open.close()
  })

  it('capabilities and versions have the fields that the specification names', async () => {
    const read = async (url: string) => JSON.parse((await gateway.inject({ url })).body) as object
    expect(await read('/v1/node/capabilities')).toMatchObject({
      abi_version: 1,
      data_model_version: 1,
      // Of the four queries that this node has, those that answer lists.
      query: { aggregate: { supported_resources: ['asset_definitions', 'domains'] } },
      chain: 'test-chain',
      address_prefix: 'cw',
    })
    expect(await read('/status')).toMatchObject({
      blocks: 7,
      txs_approved: 5,
      txs_rejected: 1,
      queue_size: 3,
      peers: 1,
    })
    expect(await read('/api_version')).toEqual({ version: '1.1' })
    expect(await read('/v1/api/versions')).toEqual({ default: '1.1', supported: ['1.1'], sunset_unix: null })
    expect(await read('/v1/health')).toEqual(await read('/health'))
    expect(await read('/peers')).toMatchObject({ total: 2, items: [{ id: 'p1', connected: true }, { id: 'p2' }] })
  })
})
