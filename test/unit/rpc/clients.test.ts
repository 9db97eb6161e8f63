/** JSON-RPC and the Model Context Protocol as clients speak them that others wrote. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { JSONRPCClient, JSONRPCErrorException, type JSONRPCResponse } from 'json-rpc-2.0'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { routesOf } from '../../../src/api/feature.js'
import { rpcService } from '../../../src/features/rpc/node/index.js'
import { rpcSchema } from '../../../src/features/rpc/schema.js'
import type { ServiceContext } from '../../../src/features/service.js'
import type { Gateway } from '../../../src/gateway/index.js'
import { FakeNode, gatewayOf } from '../gateway/support.js'

let gateway: Gateway
let url: URL
beforeEach(async () => {
  const opened = await rpcService.open({} as ServiceContext, { enabled: true, profile: 'read_only' })
  const parts = { routes: routesOf(rpcSchema), handlers: opened?.handlers ?? new Map() }
  gateway = gatewayOf(new FakeNode(), { telemetryProfile: 'full' }, parts)
  url = new URL('/v1/rpc', (await gateway.listen()).url)
})
afterEach(() => gateway.close())

describe('json-rpc-2.0', () => {
  const clientOf = (): JSONRPCClient => {
    const client: JSONRPCClient = new JSONRPCClient(async (request) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(request) })
      if (answer.status === 200) client.receive((await answer.json()) as JSONRPCResponse)
      else expect(answer.status).toBe(202)
    })
    return client
  }

  it('calls methods individually and in a batch, and matches results by their ids', async () => {
    const client = clientOf()
    expect(await client.request('status', {})).toMatchObject({ blocks: 7 })
    const asked = (id: number, limit: number) => ({
      jsonrpc: '2.0' as const,
      id,
      method: 'ledger.domains',
      params: { limit },
    })
    const answers = await client.requestAdvanced([asked(1, 1), asked(2, 2)])
    const lengths = answers.map(({ result }) => (result as { items: unknown[] }).items.length)
    expect([answers.map(({ id }) => id), lengths]).toEqual([
      [1, 2],
      [1, 2],
    ])
    client.notify('status', {})
  })

  it('throws errors with the error record of the route', async () => {
    const failure = async (method: string, params: object): Promise<JSONRPCErrorException> => {
      const error: unknown = await clientOf()
        .request(method, params)
        .then(undefined, (cause: unknown) => cause)
      expect(error).toBeInstanceOf(JSONRPCErrorException)
      return error as JSONRPCErrorException
    }
    expect((await failure('no.such', {})).code).toBe(-32601)
    expect((await failure('ledger.domains', { limit: 'x' })).code).toBe(-32602)
    expect(await failure('ledger.account', { id: 'nobody@d000' })).toMatchObject({
      code: -32000,
      data: { code: 'not_found' },
    })
  })
})

describe.each([
  ['before 2026', { mode: 'legacy' as const }],
  ['2026-07-28', { mode: { pin: '2026-07-28' } }],
])('a Model Context Protocol client, revision %s', (_, versionNegotiation) => {
  it('connects, lists tools, calls them, and receives errors', async () => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation })
    await client.connect(new StreamableHTTPClientTransport(url))
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['status', 'routes_search', 'route_get']))
    expect(tools.length).toBeLessThanOrEqual(18)
    const found = await client.callTool({
      name: 'route_get',
      arguments: { id: 'ledger.domains', parameters: { limit: 2 } },
    })
    expect(found.isError ?? false).toBe(false)
    expect((found.structuredContent as { items: unknown[] }).items).toHaveLength(2)
    const wrong = await client.callTool({ name: 'route_get', arguments: { id: 'transaction.submit' } })
    expect(wrong.isError).toBe(true)
    await client.close()
  })
})
