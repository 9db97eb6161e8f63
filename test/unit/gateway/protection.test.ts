/** Rate limits, keys, signed requests, profiles, binding and closing. */
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import {
  defineRoute,
  handle,
  profileServes,
  routeTable,
  SIGNED_HEADERS,
  signedRequestBytes,
  TELEMETRY_PROFILES,
} from '../../../src/api/index.js'
import type { NodeServices } from '../../../src/api/services.js'
import { CausewayClient, signRequest } from '../../../src/client/index.js'
import { signMessage } from '../../../src/client/transaction.js'
import { option, string, struct } from '../../../src/codec/index.js'
import { formatPublicKey, generateKeyPair, type KeyPair } from '../../../src/crypto/index.js'
import type { Gateway, GatewayConfig } from '../../../src/gateway/index.js'
import { NONCE_RETENTION_MS, NonceMemory } from '../../../src/gateway/nonces.js'
import { formatAddress } from '../../../src/model/index.js'
import { accountOf, alice, bob, CHAIN, FakeNode, gatewayOf, NETWORK_KEY } from './support.js'

const codeOf = (answer: { body: string }): string => (JSON.parse(answer.body) as { code: string }).code

const sha256Of = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

describe('telemetry profiles (specification 8.3)', () => {
  const row = defineRoute({
    id: 'dev',
    method: 'GET',
    path: '/v1/dev',
    summary: 'a developer route',
    access: 'public',
    profile: 'developer',
    format: 'json',
  })
  const handlers = new Map([handle(row, (_: { services: NodeServices }) => ({ value: '{}' }))])
  const table = {
    disabled: [false, false, false],
    operator: [true, false, false],
    extended: [true, true, false],
    developer: [true, false, true],
    full: [true, true, true],
  } as const

  it.each(TELEMETRY_PROFILES)('%s serves the routes in the table', async (profile) => {
    const gateway = gatewayOf(new FakeNode(), { telemetryProfile: profile }, { routes: routeTable(row), handlers })
    const served: boolean[] = []
    for (const url of ['/status', '/metrics', '/v1/dev']) {
      const answer = await gateway.inject({ url })
      served.push(answer.statusCode === 200)
      if (answer.statusCode === 200) continue
      expect([answer.statusCode, codeOf(answer)]).toEqual([503, 'telemetry_profile_restricted'])
      expect(answer.headers['retry-after']).toBeUndefined()
    }
    expect(served).toEqual(table[profile])
    expect((await gateway.inject({ url: '/health' })).statusCode).toBe(200)
    const consensus = await gateway.inject({ url: '/v1/consensus/status' })
    expect(consensus.statusCode).toBe(profileServes(profile, 'status') ? 200 : 503)
    await gateway.close()
  })

  it('do not apply to requests signed by an operator key', async () => {
    const config = { telemetryProfile: 'disabled', operatorKeys: [formatPublicKey(alice.publicKey)] } as const
    const gateway = gatewayOf(new FakeNode(), config)
    const headers = await signRequest(
      { chain: CHAIN, networkKey: NETWORK_KEY, method: 'GET', target: '/metrics' },
      alice,
    )
    expect((await gateway.inject({ url: '/metrics', headers })).statusCode).toBe(200)
    const other = await signRequest({ chain: CHAIN, networkKey: NETWORK_KEY, method: 'GET', target: '/metrics' }, bob)
    expect((await gateway.inject({ url: '/metrics', headers: other })).statusCode).toBe(503)
    await gateway.close()
  })
})

describe('rate limit', () => {
  it('rejects requests with Retry-After until it refills, but exempts /health', async () => {
    let nowMs = 0
    const gateway = gatewayOf(
      new FakeNode(),
      { rateLimit: { perSecond: 2, burst: 3 } },
      { clocks: { wallMs: () => Date.now(), monotonicMs: () => nowMs } },
    )
    const peers = () => gateway.inject({ url: '/peers' })
    for (let i = 0; i < 3; i++) expect((await peers()).statusCode).toBe(200)
    const refused = await peers()
    expect([refused.statusCode, codeOf(refused)]).toEqual([429, 'rate_limited'])
    expect(refused.headers['retry-after']).toBe('1')
    const left = ['limit', 'remaining', 'reset'].map((name) => refused.headers[`x-ratelimit-${name}`])
    expect(left).toEqual(['3', '0', '1'])
    expect((await gateway.inject({ url: '/health' })).statusCode).toBe(200)
    expect((await gateway.inject({ url: '/peers', remoteAddress: '10.0.0.9' })).statusCode).toBe(200)
    nowMs += 500
    expect((await peers()).statusCode).toBe(200)
    expect((await peers()).statusCode).toBe(429)
    await gateway.close()
  })
})

describe('API tokens', () => {
  const token = 'a-token-of-enough-length'

  it('are checked if sent, and are mandatory if the configuration requires them', async () => {
    const gateway = gatewayOf(new FakeNode(), { apiTokens: [{ sha256: sha256Of(token) }], requireApiToken: true })
    const get = (url: string, headers = {}) => gateway.inject({ url, headers })
    expect((await get('/peers', { 'x-api-token': token })).statusCode).toBe(200)
    for (const headers of [{}, { 'x-api-token': 'wrong' }, { 'x-api-token': '' }]) {
      const answer = await get('/peers', headers)
      expect([answer.statusCode, codeOf(answer)]).toEqual([401, 'unauthorised'])
    }
    expect((await get('/health')).statusCode).toBe(200)
    await gateway.close()
  })

  it('must be configured if they are required, and only as digests', () => {
    expect(() => gatewayOf(new FakeNode(), { requireApiToken: true })).toThrow('no API token')
    expect(() => gatewayOf(new FakeNode(), { apiTokens: [{ sha256: 'short' }] })).toThrow('SHA-256')
  })
})

describe('signed requests', () => {
  const row = defineRoute<undefined, unknown, Uint8Array, string>({
    id: 'who',
    method: 'POST',
    path: '/v1/who',
    summary: 'names its caller',
    access: 'account',
    format: 'json',
    query: struct('WhoParameters', { a: option(string(8)), b: option(string(8)) }),
    body: { as: 'bytes', types: ['application/xml', 'application/json'], maxBytes: 100 },
  })
  const operatorRow = defineRoute({ ...row, id: 'op', path: '/v1/op', access: 'operator' })
  const answerCaller = ({ caller, body }: { services: NodeServices; caller: object; body: Uint8Array }) => ({
    value: JSON.stringify({ ...caller, bytes: body.length }),
  })
  const gateway = (config: Partial<GatewayConfig> = {}, clocks?: { wallMs: () => number; monotonicMs: () => number }) =>
    gatewayOf(new FakeNode(), config, {
      routes: routeTable(row, operatorRow),
      handlers: new Map([handle(row, answerCaller), handle(operatorRow, answerCaller)]),
      ...(clocks === undefined ? {} : { clocks }),
    })
  const body = Buffer.from('<x/>')
  const target = '/v1/who?b=2&a=%41+c'
  const signed = (pair: KeyPair, changes = {}) =>
    signRequest({ chain: CHAIN, networkKey: NETWORK_KEY, method: 'POST', target, body, ...changes }, pair)

  it.each([
    ['ed25519', alice],
    ['secp256k1', bob],
  ] as const)('name the account of an %s key', async (_, pair) => {
    const server = gateway()
    const answer = await server.inject({ method: 'POST', url: target, headers: await signed(pair), payload: body })
    expect(JSON.parse(answer.body)).toEqual({ kind: 'account', account: accountOf(pair), operator: false, bytes: 4 })
    await server.close()
  })

  it('can name the account instead of the key, but not a different account', async () => {
    const server = gateway()
    const headers = await signed(alice)
    const address = formatAddress(accountOf(alice), 'cw')
    const { [SIGNED_HEADERS.publicKey]: _, ...rest } = headers
    const post = (given: Record<string, string>) =>
      server.inject({ method: 'POST', url: target, headers: given, payload: body })
    expect((await post({ ...rest, [SIGNED_HEADERS.account]: address })).statusCode).toBe(200)
    const other = formatAddress(accountOf(bob), 'cw')
    expect((await post({ ...(await signed(alice)), [SIGNED_HEADERS.account]: other })).statusCode).toBe(401)
    await server.close()
  })

  it('cover method, path, query, body and chain, and are valid once', async () => {
    const server = gateway()
    const post = (headers: Record<string, string>, url = target, payload = body) =>
      server.inject({ method: 'POST', url, headers, payload })
    const good = await signed(alice)
    const bad = [
      await post(await signed(alice), '/v1/who?b=2&a=B+c'),
      await post(await signed(alice), target, Buffer.from('<y/>')),
      await post(await signed(alice, { chain: 'other' })),
      await post(await signed(alice, { method: 'PUT' })),
      await post(await signed(alice, { target: '/v1/op?b=2&a=A+c' })),
      await post({ ...good, [SIGNED_HEADERS.nonce]: 'other' }),
      await post({ ...good, [SIGNED_HEADERS.nonce]: '' }),
      await post({ ...good, [SIGNED_HEADERS.timestampMs]: '12x' }),
      await post({ ...good, [SIGNED_HEADERS.signature]: 'AAAA' }),
      await post({ ...good, [SIGNED_HEADERS.publicKey]: 'nope' }),
      await post({ [SIGNED_HEADERS.nonce]: 'x' }),
    ]
    for (const answer of bad) expect([answer.statusCode, codeOf(answer)]).toEqual([401, 'unauthorised'])
    // The order of the query is not signed, and failed tries with the same nonce burnt nothing.
    expect((await post(good, '/v1/who?a=A%20c&b=2')).statusCode).toBe(200)
    expect((await post(good)).statusCode).toBe(401)
    await server.close()
  })

  it('are rejected if their timestamp differs from the clock by 60 s', async () => {
    let nowMs = 900_000
    const server = gateway({}, { wallMs: () => nowMs, monotonicMs: () => nowMs })
    nowMs = 1_000_000
    const post = async (atMs: number) => {
      const headers = await signed(alice, { nowMs: atMs })
      return (await server.inject({ method: 'POST', url: target, headers, payload: body })).statusCode
    }
    expect(await post(nowMs - 60_000)).toBe(200)
    expect(await post(nowMs + 60_000)).toBe(200)
    expect(await post(nowMs - 60_001)).toBe(401)
    expect(await post(nowMs + 60_001)).toBe(401)
    await server.close()
  })

  it('cannot reuse a nonce while any timestamp with it is valid', async () => {
    let nowMs = 1_000_000
    const server = gateway({}, { wallMs: () => nowMs, monotonicMs: () => nowMs })
    /** A request with one nonce, signed anew for the time that it is sent at. */
    const post = async () => {
      const headers = await signed(alice, { nowMs })
      const nonce = 'the-only-one'
      const given = { chain: CHAIN, networkKey: NETWORK_KEY, method: 'POST', target, body, timestampMs: nowMs, nonce }
      const signature = await signMessage(alice, signedRequestBytes(given) ?? Buffer.alloc(0))
      headers[SIGNED_HEADERS.nonce] = nonce
      headers[SIGNED_HEADERS.signature] = signature.toString('base64')
      const answer = await server.inject({ method: 'POST', url: target, headers, payload: body })
      return answer.statusCode === 200 ? 200 : (JSON.parse(answer.body) as { message: string }).message
    }
    expect(await post()).toBe(200)
    for (const afterMs of [0, 1, NONCE_RETENTION_MS - 1_001]) {
      nowMs += afterMs
      expect(await post()).toContain('duplicate request')
    }
    nowMs += 2_000
    expect(await post()).toBe(200)
    expect(await post()).toContain('duplicate request')
    await server.close()
  })

  it('are valid only on the named node', async () => {
    const [here, there] = [gateway(), gateway()]
    const post = async (server: Gateway, headers: Record<string, string>) =>
      (await server.inject({ method: 'POST', url: target, headers, payload: body })).statusCode
    const forAnother = await signed(alice, { networkKey: 'ed0120ff' })
    expect([await post(here, forAnother), await post(there, forAnother)]).toEqual([401, 401])
    expect(await post(here, await signed(alice))).toBe(200)
    await Promise.all([here.close(), there.close()])
  })

  it('are no longer valid after the node restarts', async () => {
    let nowMs = 1_000_000
    const clocks = { wallMs: () => nowMs, monotonicMs: () => nowMs }
    const before = gateway({}, clocks)
    const headers = await signed(alice, { nowMs })
    const post = (server: Gateway) => server.inject({ method: 'POST', url: target, headers, payload: body })
    expect((await post(before)).statusCode).toBe(200)
    nowMs += 1
    const after = gateway({}, clocks)
    expect(codeOf(await post(after))).toBe('unauthorised')
    await Promise.all([before.close(), after.close()])
  })

  it.each([
    ['ahead', 3_600_000],
    ['behind', -3_600_000],
  ])('are rejected if made before a restart, even if the clock was an hour %s at the restart', async (_, wrongMs) => {
    let [nowMs, offMs] = [1_000_000, 0]
    const clocks = { wallMs: () => nowMs + offMs, monotonicMs: () => nowMs }
    const before = await signed(alice, { nowMs })
    nowMs += 1
    offMs = wrongMs
    const server = gateway({}, clocks)
    offMs = 0
    nowMs += 5_000
    const post = async (headers: Record<string, string>) =>
      (await server.inject({ method: 'POST', url: target, headers, payload: body })).statusCode
    expect(await post(before)).toBe(401)
    expect(await post(await signed(alice, { nowMs }))).toBe(200)
    await server.close()
  })

  it('with unregistered keys cannot use up the nonce memory of operators', () => {
    const accounts = new NonceMemory({ total: 4, perKey: 2, perClient: 4 })
    const operators = new NonceMemory({ total: 4, perKey: 2, perClient: 4 })
    const codes = ['a', 'b', 'c'].map((nonce) => accounts.note('stranger', nonce, 'here', 0)?.code)
    expect(codes).toEqual([undefined, undefined, 'rate_limited'])
    // Another key has its own share, until all shares are taken.
    expect(['a', 'b'].map((nonce) => accounts.note('other', nonce, 'here', 0)?.code)).toEqual([undefined, undefined])
    expect(accounts.note('third', 'a', 'there', 0)?.code).toBe('rate_limited')
    expect(operators.note('operator', 'a', 'here', 0)).toBeUndefined()
    expect(accounts.note('third', 'a', 'there', NONCE_RETENTION_MS)).toBeUndefined()
  })

  it('of one client cannot use up the nonce memory, however many keys it creates', () => {
    const accounts = new NonceMemory({ total: 8, perKey: 8, perClient: 3 })
    const codes = ['a', 'b', 'c', 'd'].map((key) => accounts.note(key, 'n', 'crowd', 0)?.code)
    expect(codes).toEqual([undefined, undefined, undefined, 'rate_limited'])
    expect(accounts.note('bank', 'n', 'bank', 0)).toBeUndefined()
    expect(accounts.note('d', 'n', 'crowd', NONCE_RETENTION_MS)).toBeUndefined()
  })

  it('of accounts and operators use separate nonce memories, and only if access depends on the signature', async () => {
    const noted = vi.spyOn(NonceMemory.prototype, 'note')
    const server = gateway({ operatorKeys: [formatPublicKey(alice.publicKey)] })
    const get = async (url: string, pair: KeyPair) => {
      const headers = await signRequest({ chain: CHAIN, networkKey: NETWORK_KEY, method: 'GET', target: url }, pair)
      return server.inject({ url, headers })
    }
    expect((await get('/status', bob)).statusCode).toBe(200)
    expect(noted).not.toHaveBeenCalled()
    const post = async (pair: KeyPair) =>
      server.inject({ method: 'POST', url: '/v1/op', headers: await signed(pair, { target: '/v1/op' }), payload: body })
    expect((await post(bob)).statusCode).toBe(403)
    expect(noted).not.toHaveBeenCalled()
    expect((await post(alice)).statusCode).toBe(200)
    await server.inject({ method: 'POST', url: target, headers: await signed(bob), payload: body })
    expect(new Set(noted.mock.contexts).size).toBe(2)
    noted.mockRestore()
    await server.close()
  })

  it('are ignored by /health', async () => {
    const server = gateway()
    const headers = { [SIGNED_HEADERS.publicKey]: 'nonsense', [SIGNED_HEADERS.signature]: 'nonsense' }
    expect((await server.inject({ url: '/health', headers })).statusCode).toBe(200)
    await server.close()
  })

  it('are required by account and operator routes', async () => {
    const token = 'a-token-of-enough-length'
    const bound = 'another-token-long-enough'
    const server = gateway({
      apiTokens: [{ sha256: sha256Of(token) }, { sha256: sha256Of(bound), account: { id: accountOf(bob) } }],
      operatorKeys: [formatPublicKey(alice.publicKey)],
    })
    const post = async (url: string, headers: Record<string, string> = {}) => {
      const answer = await server.inject({ method: 'POST', url, headers, payload: body })
      return answer.statusCode === 200 ? 200 : `${answer.statusCode} ${codeOf(answer)}`
    }
    expect(await post('/v1/who')).toBe('401 unauthorised')
    expect(await post('/v1/who', { 'x-api-token': token })).toBe('403 forbidden')
    expect(await post('/v1/who', { 'x-api-token': bound })).toBe(200)
    expect(await post('/v1/op')).toBe('401 unauthorised')
    expect(await post('/v1/op', await signed(bob, { target: '/v1/op' }))).toBe('403 forbidden')
    expect(await post('/v1/op', await signed(alice, { target: '/v1/op' }))).toBe(200)
    expect(await post('/v1/who', { 'content-type': 'text/html' })).toBe('415 unsupported_media_type')
    await server.close()
    const open = gateway({ anonymousAccount: accountOf(alice) })
    const answer = await open.inject({ method: 'POST', url: '/v1/who', payload: body })
    expect(JSON.parse(answer.body)).toMatchObject({ kind: 'anonymous', account: accountOf(alice) })
    await open.close()
  })

  it('require a key type that accounts can have', async () => {
    const bls = await generateKeyPair('bls', Buffer.from('bls'))
    await expect(signed(bls)).rejects.toMatchObject({ code: 'signature_algorithm_denied' })
    expect(() => gateway({ operatorKeys: [formatPublicKey(bls.publicKey)] })).toThrow('operator key')
  })
})

/** A node whose queries wait: `asked` settles when the first one has come in, `release` lets it be answered. */
function slowNode() {
  const node = new FakeNode()
  let release = (): void => {}
  const answer = new Promise<void>((resolve) => (release = resolve))
  const asked = new Promise<void>((resolve) => {
    node.onQuery = () => {
      resolve()
      return answer
    }
  })
  return { node, asked, release }
}

describe('binding and closing', () => {
  it('reports the address in use', async () => {
    const first = gatewayOf(new FakeNode())
    const { port } = await first.listen()
    const address = `127.0.0.1:${port}`
    const second = gatewayOf(new FakeNode(), { address })
    await expect(second.listen()).rejects.toMatchObject({ code: 'address_in_use', details: { address } })
    await second.close()
    await first.close()
  })

  it('serves localhost at 127.0.0.1', async () => {
    const gateway = gatewayOf(new FakeNode(), { address: 'localhost:0' })
    const { host, port } = await gateway.listen()
    expect(host).toBe('localhost')
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
    await gateway.close()
  })

  it('rejects public addresses unless insecure is set, and rejects invalid addresses', () => {
    for (const address of ['0.0.0.0:80', '[::]:80', '192.168.1.1:80', 'example.org:80', 'x', '127.0.0.1:99999', '[1:2'])
      expect(() => gatewayOf(new FakeNode(), { address })).toThrow()
    for (const address of ['127.0.0.1:0', '[::1]:0', 'localhost:0', '127.9.9.9:1'])
      expect(gatewayOf(new FakeNode(), { address })).toBeDefined()
    expect(gatewayOf(new FakeNode(), { address: '0.0.0.0:0', insecure: true })).toBeDefined()
  })

  it('finishes requests in flight and refuses new ones', async () => {
    const { node, asked, release } = slowNode()
    const gateway = gatewayOf(node, { closeTimeoutMs: 20_000 })
    const { url, port } = await gateway.listen()
    const client = new CausewayClient({ gateway: url, retries: 0 })
    await client.chain()
    const read = client.domains({ limit: 1 })
    await asked
    // A connection in the middle of a head is not idle, so it outlives the first moment of the stop.
    const socket = connect(port, '127.0.0.1')
    const response = new Promise<string>((resolve, reject) => {
      let text = ''
      socket.on('data', (bytes) => (text += bytes.toString()))
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
    })
    await new Promise<void>((resolve) =>
      socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\nGET /pe', () => resolve()),
    )
    await new Promise<void>((resolve) => socket.once('data', () => resolve()))
    const closed = gateway.close()
    socket.write('ers HTTP/1.1\r\nhost: x\r\n\r\n')
    const late = (await response).split('HTTP/1.1 ')
    expect(late.map((answer) => answer.slice(0, 3))).toEqual(['', '200', '503'])
    expect(late[2]).toContain('"code":"node_stopping"')
    release()
    expect((await read).items).toHaveLength(1)
    await closed
    await expect(client.health()).rejects.toMatchObject({ code: 'unreachable' })
    await client.close()
  })

  it('opens no stream for a request that is still pending at the close', async () => {
    const { node, asked, release } = slowNode()
    const gateway = gatewayOf(node, { closeTimeoutMs: 20_000, telemetryProfile: 'full' })
    const { url } = await gateway.listen()
    const answer = fetch(`${url}/v1/events/sse?account=alice@d000`)
    await asked
    const closed = gateway.close()
    release()
    expect((await answer).status).toBe(503)
    expect(await (await answer).json()).toMatchObject({ code: 'node_stopping' })
    await closed
  })

  it('ends requests that do not finish in time', async () => {
    const { node, asked } = slowNode()
    const gateway = gatewayOf(node, { closeTimeoutMs: 100 })
    const { url } = await gateway.listen()
    const client = new CausewayClient({ gateway: url, retries: 0 })
    await client.chain()
    const read = expect(client.domains()).rejects.toMatchObject({ code: 'unreachable' })
    await asked
    await gateway.close()
    await read
    await client.close()
  })
})
