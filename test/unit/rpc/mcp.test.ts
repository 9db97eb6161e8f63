/** Assistants: both revisions of the Model Context Protocol over HTTP, tools that read and none that do more. */
import { afterEach, describe, expect, it } from 'vitest'
import { routesOf } from '../../../src/api/feature.js'
import { ANSWER_MAX_BYTES, WORDS_MAX } from '../../../src/features/rpc/mcp/tools.js'
import { rpcService } from '../../../src/features/rpc/node/index.js'
import { rpcSchema } from '../../../src/features/rpc/schema.js'
import type { ServiceContext } from '../../../src/features/service.js'
import type { Gateway } from '../../../src/gateway/index.js'
import { FakeNode, gatewayOf } from '../gateway/support.js'

const gateways: Gateway[] = []
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close()
})
async function gatewayWith(node = new FakeNode()): Promise<Gateway> {
  // The profile of calls changes nothing for assistants.
  const opened = await rpcService.open({} as ServiceContext, { enabled: true, profile: 'operator' })
  const gateway = gatewayOf(
    node,
    { telemetryProfile: 'full' },
    { routes: routesOf(rpcSchema), handlers: opened?.handlers ?? new Map() },
  )
  gateways.push(gateway)
  return gateway
}

const NEW = '2026-07-28'
const META = {
  'io.modelcontextprotocol/protocolVersion': NEW,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}
interface Answer {
  readonly result?: { readonly [name: string]: unknown }
  readonly error?: { readonly code: number; readonly message: string }
}

/** Sends one message in a revision. */
async function ask(gateway: Gateway, revision: string, method: string, params: object = {}): Promise<Answer> {
  const isNew = revision === NEW
  const { body } = await gateway.inject({
    method: 'POST',
    url: '/v1/rpc',
    payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: isNew ? { ...params, _meta: META } : params }),
    headers: {
      'content-type': 'application/json',
      ...(isNew ? { 'mcp-protocol-version': NEW, 'mcp-method': method } : {}),
      ...(isNew && 'name' in params ? { 'mcp-name': String(params.name) } : {}),
    },
  })
  return JSON.parse(body) as Answer
}
const textOf = ({ result }: Answer): string => (result?.content as { text: string }[] | undefined)?.[0]?.text ?? ''

describe.each(['2025-06-18', NEW])('an AI assistant that uses MCP revision %s', (revision) => {
  it('lists tools, calls one, and receives the record of its route', async () => {
    const gateway = await gatewayWith()
    const { result } = await ask(gateway, revision, 'tools/list')
    const tools = result?.tools as { name: string }[]
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['status', 'account', 'routes_search', 'route_get']),
    )
    // Lists that are long cost an assistant what it has to think with.
    expect(JSON.stringify(tools).length).toBeLessThan(8_000)
    const called = await ask(gateway, revision, 'tools/call', { name: 'account', arguments: { id: 'alice@d000' } })
    const plain = await gateway.inject({ url: '/v1/accounts/alice@d000' })
    expect(textOf(called)).toBe(plain.body)
    expect(called.result?.structuredContent).toEqual(JSON.parse(plain.body))
  })

  it('finds further read routes by keywords, and calls them by id', async () => {
    const gateway = await gatewayWith()
    const found = await ask(gateway, revision, 'tools/call', {
      name: 'routes_search',
      arguments: { words: 'server time' },
    })
    expect(textOf(found)).toContain('"time.now"')
    const got = await ask(gateway, revision, 'tools/call', { name: 'route_get', arguments: { id: 'time.now' } })
    expect(got.result?.isError).toBeUndefined()
  })

  it.each([
    ['an unknown tool', { name: 'transfer', arguments: {} }],
    ['a route that changes state', { name: 'route_get', arguments: { id: 'transaction.submit' } }],
    ['a draft', { name: 'route_get', arguments: { id: 'ledger.account.onboarding' } }],
    ['a stream', { name: 'route_get', arguments: { id: 'events' } }],
    ['a route of operators', { name: 'route_get', arguments: { id: 'consensus.evidence.submit' } }],
    ['an unknown parameter', { name: 'account', arguments: { id: 'alice@d000', nonsense: 1 } }],
  ])('receives an error for a refused %s', async (_name, params) => {
    const answer = await ask(await gatewayWith(), revision, 'tools/call', params)
    expect(answer.error ?? answer.result).toMatchObject(
      answer.error === undefined ? { isError: true } : { code: expect.any(Number) },
    )
  })
})

it.each([
  ['routes_search', { words: `${'q '.repeat(WORDS_MAX / 2)}q` }, `words: more than ${WORDS_MAX} characters`],
  ['route_get', { id: 'time.now', parameters: 'a text' }, 'parameters: expected an object'],
  ['account', Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`p${at}`, 1])), 'more than 64 parameters'],
])('the MCP server rejects oversized or malformed arguments of %s', async (name, given, status) => {
  expect(textOf(await ask(await gatewayWith(), NEW, 'tools/call', { name, arguments: given }))).toContain(status)
})

it('the MCP server supports the initialize handshake of older clients', async () => {
  const gateway = await gatewayWith()
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  expect((await ask(gateway, '2025-06-18', 'initialize', hello)).result).toMatchObject({
    serverInfo: { name: 'causeway' },
  })
  const payload = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
  const headers = { 'content-type': 'application/json' }
  const status = await gateway.inject({ method: 'POST', url: '/v1/rpc', payload, headers })
  expect([status.statusCode, status.body]).toEqual([202, ''])
})

it('the MCP server refuses subscriptions, because they do not end', async () => {
  const answer = await ask(await gatewayWith(), NEW, 'subscriptions/listen')
  expect(answer.error?.code).toBe(-32601)
})

it('the MCP server limits the length of a response, with a hint to request less', async () => {
  const node = new FakeNode()
  node.domains = Array.from({ length: 500 }, (_, at) => ({ ...node.domains[0]!, id: `d${at}`.padEnd(100, 'x') }))
  const gateway = await gatewayWith(node)
  const answer = await ask(gateway, NEW, 'tools/call', { name: 'domains', arguments: { limit: 500 } })
  expect(textOf(answer)).toContain('answer_too_large')
  expect(textOf(answer).length).toBeLessThan(ANSWER_MAX_BYTES)
})
