/** JSON-RPC: every route answers by it what it answers by HTTP, under the same credentials and limits, and bad calls are told apart. */
import { connect } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isCallable } from '../../../src/api/dispatch.js'
import { routesOf } from '../../../src/api/feature.js'
import type { NodeServices } from '../../../src/api/services.js'
import { signRequest } from '../../../src/client/index.js'
import { formatPublicKey } from '../../../src/crypto/index.js'
import { answerRpc, BATCH_ANSWERS_MAX, BATCH_MAX, methodsOf } from '../../../src/features/rpc/calls.js'
import type { RpcProfile } from '../../../src/features/rpc/node/config.js'
import { rpcService } from '../../../src/features/rpc/node/index.js'
import { rpcSchema } from '../../../src/features/rpc/schema.js'
import type { ServiceContext } from '../../../src/features/service.js'
import type { Gateway, GatewayConfig } from '../../../src/gateway/index.js'
import { pause, until } from '../../support/ports.js'
import { alice, CHAIN, FakeNode, gatewayOf, NETWORK_KEY } from '../gateway/support.js'

const gateways: Gateway[] = []
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close()
})

async function gatewayWith(profile: RpcProfile, config: Partial<GatewayConfig> = {}): Promise<Gateway> {
  const opened = await rpcService.open({} as ServiceContext, { enabled: true, profile })
  const gateway = gatewayOf(
    new FakeNode(),
    { telemetryProfile: 'full', ...config },
    { routes: routesOf(rpcSchema), handlers: opened?.handlers ?? new Map() },
  )
  gateways.push(gateway)
  return gateway
}
const post = (gateway: Gateway, payload: string, headers: Record<string, string> = {}) =>
  gateway.inject({
    method: 'POST',
    url: '/v1/rpc',
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  })
const call = async (gateway: Gateway, method: string, params: object = {}, headers: Record<string, string> = {}) =>
  (await post(gateway, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers)).body
const codeOf = (text: string): number | undefined => (JSON.parse(text) as { error?: { code: number } }).error?.code

/** A value for each parameter that a path may have. */
const IN_PATHS: Readonly<Record<string, string>> = {
  height: '3',
  hash: 'ab'.repeat(32),
  entrypoint_hash: 'ab'.repeat(32),
  id: 'alice@d000',
  account: 'alice@d000',
}

describe('a route called by RPC', () => {
  it('returns the same record or error as over HTTP, for any parameters', async () => {
    const gateway = await gatewayWith('operator')
    const reads = methodsOf(gateway.rows.filter(isCallable), 'operator').filter(
      ({ method, format }) => method === 'GET' && format !== 'binary',
    )
    expect(reads.length).toBeGreaterThan(60)
    const differing: string[] = []
    for (const row of reads) {
      const named = [...row.path.matchAll(/\{([a-z_]+)\}/g)].map(([, name = '']) => name)
      const inPath = Object.fromEntries(named.map((name) => [name, IN_PATHS[name] ?? '1']))
      for (const query of [{}, { limit: 2 }, { limit: 0 }, { nonsense: 'x' }]) {
        const search = new URLSearchParams(
          Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
        ).toString()
        const url =
          row.path.replace(/\{([a-z_]+)\}/g, (_, name: string) => inPath[name] ?? '') +
          (search === '' ? '' : `?${search}`)
        const plain = await gateway.inject({ url, headers: { accept: 'application/json' } })
        const body = await call(gateway, row.id, { ...inPath, ...query })
        const alike =
          plain.statusCode < 300
            ? body === `{"jsonrpc":"2.0","id":1,"result":${plain.body}}`
            : (JSON.parse(body) as { error?: { data: { code: string; status: number } } }).error?.data.code ===
              (JSON.parse(plain.body) as { code: string }).code
        // Fields with times and counters differ between requests.
        if (!alike && !/time|metrics|status/.test(row.id))
          differing.push(`${row.id} ${search}: ${body.slice(0, 200)} | ${plain.body.slice(0, 200)}`)
      }
    }
    expect(differing).toEqual([])
  })

  it('requires the same signature as over HTTP, and the signature of the outer request identifies the caller', async () => {
    const config = { operatorKeys: [formatPublicKey(alice.publicKey)] }
    const gateway = await gatewayWith('operator', config)
    const method =
      methodsOf(gateway.rows.filter(isCallable), 'operator').find(({ access }) => access === 'operator')?.id ?? ''
    expect(JSON.parse(await call(gateway, method))).toMatchObject({
      error: { data: { code: 'unauthorised', status: 401 } },
    })
    const payload = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} })
    const target = { method: 'POST', target: '/v1/rpc', body: Buffer.from(payload) }
    const headers = await signRequest({ chain: CHAIN, networkKey: NETWORK_KEY, ...target }, alice)
    const signed = JSON.parse((await post(gateway, payload, headers)).body) as {
      error?: { data: { code: string } }
    }
    expect(signed.error?.data.code).not.toBe('unauthorised')
  })

  it('is available only if the RPC profile includes it', async () => {
    const ids = async (profile: RpcProfile) => {
      const { body } = await (await gatewayWith(profile)).inject({ url: '/v1/rpc' })
      return (JSON.parse(body) as { methods: { method: string }[] }).methods.map(({ method }) => method)
    }
    const [reads, drafts, submits, all] = [
      await ids('read_only'),
      await ids('draft'),
      await ids('submit'),
      await ids('operator'),
    ]
    expect([
      reads.includes('transaction.dry.run'),
      reads.includes('multisig.propose.draft'),
      reads.includes('transaction.submit'),
    ]).toEqual([true, false, false])
    expect(drafts.length).toBeGreaterThan(reads.length)
    expect(submits).toContain('transaction.submit')
    expect(all.length).toBeGreaterThan(submits.length)
    expect(all.filter((id) => id.startsWith('rpc.') || id === 'events' || id === 'openapi')).toEqual([])
    const gateway = await gatewayWith('read_only')
    expect(codeOf(await call(gateway, 'transaction.submit', {}))).toBe(-32601)
  })
})

describe('rate limits of RPC', () => {
  it('count each call of a batch as a request', async () => {
    const gateway = await gatewayWith('read_only', { rateLimit: { perSecond: 1, burst: 4 } })
    const batch = Array.from({ length: 10 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'time.now' }))
    const answers = JSON.parse((await post(gateway, JSON.stringify(batch))).body) as {
      id: number
      error?: { code: number }
    }[]
    expect(answers.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(answers.filter(({ error }) => error === undefined)).toHaveLength(3)
    expect(new Set(answers.slice(3).map(({ error }) => error?.code))).toEqual(new Set([-32029]))
  })
})

describe('an RPC batch', () => {
  it('stops when the client disconnects', async () => {
    const opened = await rpcService.open({} as ServiceContext, { enabled: true, profile: 'operator' })
    const node = new FakeNode()
    let asked = 0
    let isAnswered = false
    const query: NodeServices['query'] = async (def, input) => {
      asked += 1
      if (asked === 2) {
        socket.destroy()
        // The gateway hears of it while it waits for the answer.
        await pause(500)
        isAnswered = true
      }
      return node.services.query(def, input)
    }
    const gateway = gatewayOf(
      node,
      { telemetryProfile: 'full' },
      {
        routes: routesOf(rpcSchema),
        handlers: opened?.handlers ?? new Map(),
        services: { ...node.services, query },
      },
    )
    gateways.push(gateway)
    const { port } = await gateway.listen()
    const calls = Array.from({ length: 10 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ledger.domains' }))
    const body = JSON.stringify(calls)
    const head = ['POST /v1/rpc HTTP/1.1', 'host: localhost', 'content-type: application/json']
    const socket = connect(port, '127.0.0.1')
    socket.write([...head, `content-length: ${body.length}`, '', body].join('\r\n'))
    await until('the second answer', async () => isAnswered || undefined)
    await pause(100)
    expect(asked).toBe(2)
  })

  it('is answered up to the memory limit, and further calls are refused', async () => {
    const text = JSON.stringify('x'.repeat(BATCH_ANSWERS_MAX / 4))
    const call = vi.fn(async () => ({ status: 200, text }))
    const body = Array.from({ length: BATCH_MAX }, (_, id) => ({ jsonrpc: '2.0', id, method: 'm' }))
    const answer = await answerRpc(
      Buffer.from(JSON.stringify(body)),
      { rows: [], call },
      new Map([['m', true]]),
      async () => '',
    )
    const answers = JSON.parse(answer ?? '') as { result?: string; error?: { code: number } }[]
    expect(call).toHaveBeenCalledTimes(4)
    expect(answers.map(({ error }) => error?.code)).toEqual([
      ...Array.from({ length: 4 }, () => undefined),
      ...Array.from({ length: BATCH_MAX - 4 }, () => -32029),
    ])
  })
})

describe('an RPC request body', () => {
  const one = { jsonrpc: '2.0', id: 1, method: 'time.now' }
  it.each([
    ['invalid JSON', '{"jsonrpc"', -32700],
    ['nothing', '', -32700],
    ['a number', '7', -32600],
    ['an empty batch', '[]', -32600],
    ['too many calls', JSON.stringify(Array.from({ length: BATCH_MAX + 1 }, () => one)), -32600],
    ['another version', JSON.stringify({ ...one, jsonrpc: '1.0' }), -32600],
    ['no method', JSON.stringify({ jsonrpc: '2.0', id: 1 }), -32600],
    ['a method that is a number', JSON.stringify({ ...one, method: 7 }), -32600],
    ['an id that is a list', JSON.stringify({ ...one, id: [1] }), -32600],
    ['an unknown field', JSON.stringify({ ...one, extra: 1 }), -32600],
    ['parameters by position', JSON.stringify({ ...one, params: [1] }), -32602],
    ['an unknown parameter', JSON.stringify({ ...one, params: { nonsense: 1 } }), -32602],
    ['an unexpected body', JSON.stringify({ ...one, params: { body: {} } }), -32602],
    ['an unknown method', JSON.stringify({ ...one, method: 'toString' }), -32601],
    ['a method name of every object', JSON.stringify({ ...one, method: '__proto__' }), -32601],
    ['itself', JSON.stringify({ ...one, method: 'rpc.call' }), -32601],
    ['a stream', JSON.stringify({ ...one, method: 'events' }), -32601],
    [
      'a parameter name of every object',
      '{"jsonrpc":"2.0","id":1,"method":"time.now","params":{"__proto__":{"limit":1}}}',
      -32602,
    ],
    ['endlessly nested lists', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, -32700],
    [
      'endlessly nested parameters',
      `{"jsonrpc":"2.0","id":1,"method":"time.now","params":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`,
      -32700,
    ],
    ['a duplicate field', '{"jsonrpc":"2.0","id":1,"id":2,"method":"time.now"}', -32700],
  ])('is refused if it contains %s', async (_name, payload, code) => {
    const answer = await post(await gatewayWith('operator'), payload)
    expect([answer.statusCode, codeOf(answer.body)]).toEqual([200, code])
  })

  it('that contains only notifications receives no response', async () => {
    const gateway = await gatewayWith('read_only')
    const { id: _, ...notification } = one
    for (const payload of [notification, [notification, notification], { ...notification, method: 'nonsense' }]) {
      const answer = await post(gateway, JSON.stringify(payload))
      expect([answer.statusCode, answer.body]).toEqual([202, ''])
    }
    const mixed = await post(gateway, JSON.stringify([notification, { ...one, id: 'a' }]))
    expect((JSON.parse(mixed.body) as { id: string }[]).map(({ id }) => id)).toEqual(['a'])
  })

  it('from a page of another origin is refused', async () => {
    const answer = await post(await gatewayWith('read_only'), JSON.stringify(one), { origin: 'https://evil.example' })
    expect(answer.statusCode).toBe(403)
  })
})

describe('an RPC route that fails', () => {
  it('does not reveal the cause of its failure', async () => {
    const node = new FakeNode()
    node.onQuery = () => Promise.reject(new Error('a path of the machine'))
    const opened = await rpcService.open({} as ServiceContext, { enabled: true, profile: 'read_only' })
    const gateway = gatewayOf(node, {}, { routes: routesOf(rpcSchema), handlers: opened?.handlers ?? new Map() })
    gateways.push(gateway)
    const body = await call(gateway, 'ledger.account', { id: 'alice@d000' })
    expect(body).not.toContain('a path of the machine')
    expect(JSON.parse(body)).toMatchObject({ error: { code: -32000, data: { code: 'internal', status: 500 } } })
  })
})

it('RPC is off by default', async () => {
  expect(await rpcService.open({} as ServiceContext, { enabled: false, profile: 'read_only' })).toBeUndefined()
})
