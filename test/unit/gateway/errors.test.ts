/** Every way in which a request can fail before its handler: status, code, record, headers. */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERROR_FRAME, handle, streamState, TRANSACTION_FRAME } from '../../../src/api/index.js'
import { defineRoute, defineStream, routeTable } from '../../../src/api/route.js'
import type { NodeServices } from '../../../src/api/services.js'
import type { Gateway } from '../../../src/gateway/index.js'
import { LedgerError, receipt } from '../../../src/model/index.js'
import { FakeNode, gatewayOf, signedBytes } from './support.js'

const CODEC_TYPE = 'application/x-codec'

/** Checks the whole record and returns it. */
function expectError(
  answer: { statusCode: number; headers: Record<string, unknown>; body: string },
  status: number,
  code: string,
) {
  const record = JSON.parse(answer.body) as Record<string, unknown>
  expect([answer.statusCode, record['code']]).toEqual([status, code])
  expect(answer.headers['x-ledger-reject-code']).toBe(code)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
  expect(answer.headers['server']).toBeUndefined()
  expect(typeof record['message']).toBe('string')
  expect(record['request_id']).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/)
  for (const key of Object.keys(record)) expect(['code', 'message', 'hint', 'details', 'request_id']).toContain(key)
  return record
}

describe('the gateway, for an invalid request', () => {
  const node = new FakeNode()
  const gateway = gatewayOf(node, { telemetryProfile: 'full' })
  afterAll(() => gateway.close())
  const post = (headers: Record<string, string>, payload: Buffer | string) =>
    gateway.inject({ method: 'POST', url: '/transaction', headers, payload })

  it('returns 404 for unknown paths, in JSON or in a frame', async () => {
    expectError(await gateway.inject({ url: '/nope' }), 404, 'route_not_found')
    expectError(await gateway.inject({ method: 'POST', url: '/nope', payload: 'x' }), 404, 'route_not_found')
    const framed = await gateway.inject({ url: '/nope', headers: { accept: CODEC_TYPE } })
    const opened = ERROR_FRAME.open(framed.rawPayload)
    expect(framed.headers['content-type']).toBe(CODEC_TYPE)
    expect(opened.ok && opened.value.code).toBe('route_not_found')
  })

  it('rejects an unknown parameter, even on a route without parameters', async () => {
    for (const url of [
      '/health?x=1',
      '/v1/consensus/evidence/count?x=1',
      '/v1/consensus/status/sse?x=1',
      '/peers?a&b=2',
    ]) {
      const answer = await gateway.inject({ url })
      expectError(answer, 400, 'validation_failed')
      expect(answer.body).toContain('unknown parameter')
    }
    expect((await gateway.inject({ url: '/peers?' })).statusCode).toBe(200)
  })

  it('returns 405 with Allow for a known path with another method', async () => {
    const answer = await gateway.inject({ method: 'DELETE', url: '/transaction' })
    expectError(answer, 405, 'method_not_allowed')
    expect(answer.headers['allow']).toBe('POST')
    const read = await gateway.inject({ method: 'POST', url: '/v1/accounts/x@y', payload: '{}' })
    expectError(read, 405, 'method_not_allowed')
    expect(read.headers['allow']).toBe('GET, HEAD')
    expectError(await gateway.inject({ method: 'PROPFIND' as 'GET', url: '/health' }), 405, 'method_not_allowed')
  })

  it('never matches a fixed path to a parameter of another route, and allows only the methods of the fixed path', async () => {
    for (const method of ['GET', 'HEAD', 'DELETE'] as const) {
      const answer = await gateway.inject({ method, url: '/v1/multisig/address' })
      expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'POST'])
    }
    expectError(await gateway.inject({ url: '/v1/multisig/addresses' }), 400, 'validation_failed')
  })

  it('returns 400 for malformed URLs and query strings', async () => {
    expectError(await gateway.inject({ url: '/v1/accounts/%zz' }), 400, 'malformed_request')
    expectError(await gateway.inject({ url: '/v1/domains?limit=%zz' }), 400, 'malformed_request')
    expectError(await gateway.inject({ url: `/v1/accounts/${'a'.repeat(2000)}` }), 400, 'malformed_request')
    expectError(await gateway.inject({ url: '/v1/domains?limit=1&limit=2' }), 400, 'invalid_pagination')
    const unknown = await gateway.inject({ url: '/v1/domains?nope=1' })
    expect(expectError(unknown, 400, 'validation_failed')['details']).toMatchObject({ faults: [{ path: 'nope' }] })
  })

  it.each(['0', '501', '-1', '1.5', 'abc', '', '99999999999999999999'])('returns 400 for limit=%s', async (limit) => {
    expectError(await gateway.inject({ url: `/v1/domains?limit=${limit}` }), 400, 'invalid_pagination')
  })

  it('returns 400 for an unknown cursor and for an excessive offset', async () => {
    expectError(await gateway.inject({ url: '/v1/domains?cursor=AAAA!' }), 400, 'invalid_pagination')
    expectError(await gateway.inject({ url: '/v1/domains?cursor=____' }), 400, 'invalid_pagination')
    expectError(await gateway.inject({ url: '/v1/domains?offset=5001' }), 400, 'invalid_pagination')
  })

  it('returns 400 with the name of a missing parameter', async () => {
    const record = expectError(
      await gateway.inject({ url: '/v1/pipeline/transactions/status' }),
      400,
      'validation_failed',
    )
    expect(record['details']).toMatchObject({ faults: [{ code: 'missing_field', path: 'hash' }] })
  })

  it('returns 400 with all parameter faults, in order', async () => {
    const answer = await gateway.inject({ url: '/v1/assets?foo=1&limit=abc&offset=x&offset=2' })
    const record = expectError(answer, 400, 'validation_failed')
    expect((record['details'] as { faults: { path: string; code: string }[] }).faults).toEqual([
      { path: 'foo', code: 'unknown_field', message: expect.stringContaining('limit') },
      { path: 'offset', code: 'duplicate_field', message: 'given more than once' },
      { path: 'limit', code: 'bad_value', message: expect.any(String) },
      { path: 'offset', code: 'bad_value', message: expect.any(String) },
    ])
    expect(record['message']).toMatch(/^foo: .*; offset: .*; limit: .*; offset: /)
    const paging = expectError(await gateway.inject({ url: '/v1/assets?limit=0&offset=-1' }), 400, 'invalid_pagination')
    expect((paging['details'] as { faults: unknown[] }).faults).toHaveLength(2)
    const missing = await gateway.inject({ url: '/v1/ledger/state-proof' })
    const paths = (expectError(missing, 400, 'validation_failed')['details'] as { faults: { path: string }[] }).faults
    expect(paths.map(({ path }) => path)).toEqual(['table', 'key'])
  })

  it('returns 400 with all faults of a JSON body and their positions, up to sixteen', async () => {
    const headers = { 'content-type': 'application/json' }
    const record = expectError(await post(headers, '{"x": 1}'), 400, 'unknown_field')
    const { faults, line, column } = record['details'] as {
      faults: { path: string; code: string; line: number; column: number }[]
      line: number
      column: number
    }
    expect(faults.map(({ path, code }) => [path, code])).toEqual([
      ['x', 'unknown_field'],
      ['payload', 'missing_field'],
      ['signatures', 'missing_field'],
    ])
    expect([line, column]).toEqual([1, 2])
    expect(record['message']).toMatch(/; and 2 more$/)
    const nested = `{"payload": {"chain": 7,\n "nonce": "x"}, "signatures": [1, 2]}`
    const deep = expectError(await post(headers, nested.replace('\\n', '\n')), 400, 'bad_value')
    const places = (deep['details'] as { faults: { path: string; line: number }[] }).faults
    expect(places[0]).toMatchObject({ path: 'payload.chain', line: 1 })
    expect(places.map(({ path }) => path)).toContain('signatures[1]')
    const many = `{${Array.from({ length: 100 }, (_, at) => `"f${at}": 0`).join(',')}}`
    const bounded = expectError(await post(headers, many), 400, 'unknown_field')
    expect((bounded['details'] as { faults: unknown[] }).faults).toHaveLength(16)
  })

  it('returns 406 if it supports none of the accepted types', async () => {
    expectError(await gateway.inject({ url: '/health', headers: { accept: 'text/html' } }), 406, 'not_acceptable')
    expectError(
      await gateway.inject({ url: '/status', headers: { accept: 'application/json;q=0' } }),
      406,
      'not_acceptable',
    )
  })

  it('returns 415 for other types, charsets or encodings, and for a missing type', async () => {
    const frame = TRANSACTION_FRAME.wrap(await signedBytes(1))
    expectError(await post({ 'content-type': 'text/plain' }, frame), 415, 'unsupported_media_type')
    expectError(await post({ 'content-type': '///' }, frame), 415, 'unsupported_media_type')
    expectError(await post({}, frame), 415, 'unsupported_media_type')
    expectError(await post({ 'content-type': 'application/json; charset=utf-16' }, '{}'), 415, 'unsupported_media_type')
    expectError(
      await post({ 'content-type': CODEC_TYPE, 'content-encoding': 'gzip' }, frame),
      415,
      'unsupported_media_type',
    )
  })

  it('returns 413 for bodies above the limit of the route', async () => {
    const record = expectError(
      await post({ 'content-type': CODEC_TYPE }, Buffer.alloc(1025 * 1024 + 1)),
      413,
      'payload_too_large',
    )
    expect(record['details']).toEqual({ max_bytes: 1025 * 1024 })
  })

  it('returns the codec fault of a body that is not a transaction', async () => {
    const bytes = await signedBytes(2)
    const frame = TRANSACTION_FRAME.wrap(bytes)
    const damaged = Buffer.from(frame)
    damaged[40]! ^= 1
    const other = Buffer.from(frame)
    other[6]! ^= 1
    const binary = { 'content-type': CODEC_TYPE }
    expectError(await post(binary, ''), 400, 'truncated')
    expectError(await post(binary, bytes), 400, 'bad_magic')
    expectError(await post(binary, damaged), 400, 'bad_checksum')
    expectError(await post(binary, other), 400, 'schema_mismatch')
    expectError(await post(binary, Buffer.concat([frame, Buffer.of(0)])), 400, 'trailing_bytes')
    expectError(await post(binary, TRANSACTION_FRAME.wrap(Buffer.from('junk'))), 400, 'truncated')
  })

  it('returns the position of a JSON fault', async () => {
    const json = { 'content-type': 'application/json' }
    expectError(await post(json, '{'), 400, 'malformed_json')
    expectError(await post(json, ''), 400, 'malformed_json')
    expectError(await post(json, '{"payload":1,"payload":2}'), 400, 'duplicate_field')
    expectError(await post(json, Buffer.from([0x22, 0xff, 0x22])), 400, 'bad_utf8')
    const record = expectError(await post(json, '{\n  "nope": 1}'), 400, 'unknown_field')
    expect(record['details']).toMatchObject({ path: 'nope', line: 2, column: 3 })
  })

  it('returns the error of the node, with Retry-After if a retry can succeed', async () => {
    const binary = { 'content-type': CODEC_TYPE }
    const frame = TRANSACTION_FRAME.wrap(await signedBytes(3))
    expect((await post(binary, frame)).statusCode).toBe(202)
    const again = await post(binary, frame)
    expectError(again, 409, 'already_enqueued')
    expect(again.headers['retry-after']).toBeUndefined()
    node.admission = () => new LedgerError('queue_full', 'full', { details: { queued: 10n } })
    const full = await post(binary, frame)
    expect(expectError(full, 429, 'queue_full')['details']).toEqual({ queued: '10' })
    expect(full.headers['retry-after']).toBe('1')
    node.admission = () => new LedgerError('node_starting', 'recovering')
    expect((await post(binary, frame)).headers['retry-after']).toBe('1')
  })

  it('returns 404 for objects that do not exist', async () => {
    expectError(await gateway.inject({ url: '/v1/accounts/nobody@d000' }), 404, 'not_found')
    expectError(await gateway.inject({ url: '/v1/accounts/cw1nope' }), 400, 'validation_failed')
    const hash = '0'.repeat(64)
    expectError(await gateway.inject({ url: `/v1/pipeline/transactions/status?hash=${hash}` }), 404, 'not_found')
    expectError(
      await gateway.inject({ url: `/v1/pipeline/transactions/status?hash=${hash}&scope=all` }),
      400,
      'validation_failed',
    )
  })
})

describe('the gateway, after an internal failure', () => {
  it('returns 500 without internal details, and logs them under the request id', async () => {
    const node = new FakeNode()
    node.onQuery = async () => {
      throw new Error('secret path /var/lib')
    }
    const logged: object[] = []
    const gateway = gatewayOf(node, {}, { logger: { error: (fields) => logged.push(fields), debug: () => {} } })
    const answer = await gateway.inject({ url: '/v1/domains' })
    const record = expectError(answer, 500, 'internal')
    expect(answer.body).not.toContain('secret')
    expect(logged).toMatchObject([{ request_id: record['request_id'], route: 'ledger.domains' }])
    await gateway.close()
  })

  it('replaces an error code that has no HTTP status with 500 internal', async () => {
    const node = new FakeNode()
    node.onQuery = async () => {
      throw new LedgerError('storage_corrupt', 'block 7 of /data')
    }
    const gateway = gatewayOf(node)
    const answer = await gateway.inject({ url: '/v1/domains' })
    expectError(answer, 500, 'internal')
    expect(answer.body).not.toContain('/data')
    await gateway.close()
  })

  it('returns 408 if a handler times out', async () => {
    const node = new FakeNode()
    node.onQuery = () => new Promise(() => {})
    const gateway = gatewayOf(node, { handlerTimeoutMs: 20 })
    expectError(await gateway.inject({ url: '/v1/domains' }), 408, 'request_timeout')
    await gateway.close()
  })

  it('returns 500 if a handler returns a value that does not match its schema', async () => {
    const node = new FakeNode()
    const row = defineRoute({
      id: 'odd',
      method: 'GET',
      path: '/odd',
      summary: 'odd',
      access: 'public',
      format: 'json',
      response: receipt,
    })
    const odd = handle(row, (_: { services: NodeServices }) => ({ value: { nope: 1 } as never }))
    const gateway = gatewayOf(node, {}, { routes: routeTable(row), handlers: new Map([odd]) })
    expectError(await gateway.inject({ url: '/odd' }), 500, 'internal')
    await gateway.close()
  })
})

describe('the route table', () => {
  const row = defineRoute({
    id: 'extra',
    method: 'GET',
    path: '/v1/extra/{name}',
    summary: 'extra',
    access: 'public',
    format: 'json',
    feature: 'extra',
  })
  const extra = handle(row, (_: { services: NodeServices }) => ({ value: '{}' }))

  it('requires a handler for each route, and a route for each handler', () => {
    const node = new FakeNode()
    expect(() => gatewayOf(node, {}, { routes: routeTable(row) })).toThrow('route extra has no handler')
    expect(() => gatewayOf(node, {}, { handlers: new Map([extra]) })).toThrow('handler extra has no route')
    expect(() =>
      gatewayOf(node, {}, { routes: routeTable(row, { ...row, id: 'other' }), handlers: new Map([extra]) }),
    ).toThrow('duplicate route')
  })

  it('requires a stream for each event route, and an event route for each stream', () => {
    const node = new FakeNode()
    const events = defineStream({
      id: 'lamps',
      method: 'GET',
      path: '/v1/lamps/sse',
      summary: 'lamps',
      access: 'public',
      format: 'sse',
      stream: { as: 'sse', events: { lamp: receipt } },
    })
    const lamps = streamState(events, { event: 'lamp', schema: receipt, read: () => ({}) as never })
    expect(() => gatewayOf(node, {}, { routes: routeTable(events) })).toThrow('route lamps has no stream')
    expect(() => gatewayOf(node, {}, { streams: new Map([lamps]) })).toThrow('stream lamps has no route')
    expect(() => streamState(events, { event: 'light', schema: receipt, read: () => ({}) as never })).toThrow(
      'route lamps does not declare the event light',
    )
  })

  it('makes routes of disabled features return route_not_enabled', async () => {
    const gateway = gatewayOf(
      new FakeNode(),
      { disabledFeatures: ['extra'] },
      { routes: routeTable(row), handlers: new Map([extra]) },
    )
    expectError(await gateway.inject({ url: '/v1/extra/x' }), 404, 'route_not_enabled')
    expect((await gateway.inject({ url: '/openapi' })).body).not.toContain('/v1/extra')
    await gateway.close()
  })
})

describe('the gateway, for malformed HTTP', () => {
  let gateway: Gateway
  let port = 0
  beforeAll(async () => {
    gateway = gatewayOf(new FakeNode(), { headersTimeoutMs: 200, requestTimeoutMs: 400, maxHeaderBytes: 4096 })
    port = (await gateway.listen()).port
  })
  afterAll(() => gateway.close())

  /** Sends bytes and collects the answer until the gateway ends the connection. */
  function exchange(text: string): Promise<{ statusCode: number; headers: Record<string, unknown>; body: string }> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
      socket.on('data', (chunk) => chunks.push(chunk))
      socket.on('error', reject)
      socket.on('close', () => {
        const [head = '', body = ''] = Buffer.concat(chunks).toString('latin1').split('\r\n\r\n')
        const [first = '', ...lines] = head.split('\r\n')
        const headers = Object.fromEntries(
          lines.map((line) => line.split(': ').map((part, at) => (at === 0 ? part.toLowerCase() : part))),
        )
        resolve({ statusCode: Number(first.split(' ')[1]), headers, body })
      })
    })
  }

  it('returns 400 for input that is not HTTP', async () => {
    expectError(await exchange('hello\r\n\r\n'), 400, 'malformed_request')
    expectError(await exchange('GET / HTTP/1.1\r\nbad header\r\n\r\n'), 400, 'malformed_request')
    expectError(await exchange('GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'), 400, 'malformed_request')
    expectError(
      await exchange(
        'GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      ),
      400,
      'malformed_request',
    )
    expectError(
      await exchange('POST /transaction HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n'),
      400,
      'malformed_request',
    )
  })

  it('returns 400 for invalid chunks', async () => {
    const head =
      'POST /transaction HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-codec\r\nTransfer-Encoding: chunked\r\n\r\n'
    expectError(await exchange(`${head}zz\r\n`), 400, 'malformed_request')
  })

  it('returns 431 for oversized headers', async () => {
    expectError(
      await exchange(`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(8000)}\r\n\r\n`),
      431,
      'headers_too_large',
    )
  })

  it('returns 400 for two Host headers, because a proxy may have used the other one', async () => {
    const head = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nhOst: y\r\n\r\n'
    expectError(await exchange(head), 400, 'malformed_request')
  })

  it('returns 400 for HTTP/1.0 with a transfer encoding, and reads no further request', async () => {
    const head = 'Host: localhost\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n'
    const behind = '0\r\n\r\nGET /v1/time/now HTTP/1.0\r\nHost: localhost\r\n\r\n'
    for (const line of ['POST /transaction', 'POST /health', 'GET /health']) {
      const answer = await exchange(`${line} HTTP/1.0\r\n${head}\r\n${behind}`)
      expectError(answer, 400, 'malformed_request')
      expect(answer.headers['connection']).toBe('close')
      expect(answer.body).not.toContain('HTTP/1.1')
    }
  })

  it('returns 408 for slow headers and slow bodies', async () => {
    expectError(await exchange('GET / HTTP/1.1\r\nHost: localhost\r\n'), 408, 'request_timeout')
    expectError(
      await exchange(
        'POST /transaction HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-codec\r\nContent-Length: 9\r\n\r\nabc',
      ),
      408,
      'request_timeout',
    )
  })

  it('returns 413 for a chunked body that exceeds the limit', async () => {
    const big = gatewayOf(new FakeNode())
    const previous = port
    port = (await big.listen()).port
    const chunk = `100000\r\n${'a'.repeat(0x100000)}\r\n`
    const head =
      'POST /transaction HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-codec\r\nTransfer-Encoding: chunked\r\n\r\n'
    expectError(await exchange(head + chunk.repeat(2) + '1\r\na\r\n'), 413, 'payload_too_large')
    port = previous
    await big.close()
  })

  it('serves an absolute request target by its path, but only for its own host names', async () => {
    const ask = (target: string, host = 'localhost') =>
      exchange(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect((await ask('http://localhost:1/v1/time/now')).statusCode).toBe(200)
    expect((await ask('HTTP://127.0.0.1')).statusCode).toBe(404)
    expectError(await ask('http://evil.example/v1/time/now'), 421, 'misdirected_request')
    // The authority of the target counts, whatever the header says (RFC 9112, section 3.2.2).
    expect((await ask('http://localhost/v1/time/now', 'evil.example')).statusCode).toBe(200)
  })

  it('returns 400 for unknown expectations', async () => {
    expectError(
      await exchange('GET /health HTTP/1.1\r\nHost: localhost\r\nExpect: teapot\r\n\r\n'),
      400,
      'malformed_request',
    )
  })
})
