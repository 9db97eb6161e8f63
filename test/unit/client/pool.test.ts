/** Many calls at once: few connections, lost ones made up for, and outcomes without an answer found by the hash. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { CausewayClient } from '../../../src/client/index.js'
import { toHex } from '../../../src/codec/index.js'
import type { Gateway } from '../../../src/gateway/index.js'
import { PATIENCE_MS } from '../../support/ports.js'
import { alice, FakeNode, gatewayOf } from '../gateway/support.js'

/** As many as a gateway of the default configuration gives one address. */
const GATEWAY_CAP = 256
const LOG = [{ Log: { level: 'Info', text: 'one of many' } }]

const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A timeout that only a call without an answer reaches. */
function clientOf(url: string): CausewayClient {
  const client = new CausewayClient({ gateway: url, signer: alice, timeoutMs: PATIENCE_MS })
  closing.push(() => client.close())
  return client
}

/** A server that counts the connections that are open at once. */
async function counting(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const open = new Set<Socket>()
  let most = 0
  const server = createServer((request, response) => {
    request.resume()
    answer(request, response)
  })
  server.on('connection', (socket) => {
    open.add(socket)
    most = Math.max(most, open.size)
    socket.on('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, open, most: () => most }
}
const healthy = (_: IncomingMessage, response: ServerResponse): void =>
  void response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ status: 'healthy', height: 1, version: 'x' }))

async function listening(node: FakeNode): Promise<string> {
  const gateway: Gateway = gatewayOf(node, { maxConnectionsPerAddress: GATEWAY_CAP })
  closing.push(() => gateway.close())
  return (await gateway.listen()).url
}

it('a thousand concurrent reads use a few dozen connections', async () => {
  const server = await counting((request, response) => void setTimeout(() => healthy(request, response), 5))
  const client = clientOf(server.url)
  const heights = await Promise.all(Array.from({ length: 1_000 }, () => client.height()))
  expect(new Set(heights)).toEqual(new Set([1]))
  expect(server.most()).toBeLessThanOrEqual(64)
})

it('a thousand concurrent submissions all succeed at a gateway limited to 256 connections, and its events arrive too', async () => {
  const node = new FakeNode()
  const client = clientOf(await listening(node))
  const signed = await Promise.all(Array.from({ length: 1_000 }, () => client.sign(LOG)))
  const stop = new AbortController()
  const events = client.events({ signal: stop.signal })
  const first = events.next()
  const answers = await Promise.all(signed.map(({ bytes }) => client.submitTransaction(bytes)))
  expect(answers.filter(({ receipt }) => receipt !== undefined)).toHaveLength(1_000)
  stop.abort()
  expect((await first).done).toBe(true)
})

it('reads on connections dropped by a gateway are retried', async () => {
  let calls = 0
  const server = await counting((request, response) => {
    calls += 1
    if (calls % 10 === 0) request.socket.destroy()
    else healthy(request, response)
  })
  const client = clientOf(server.url)
  const heights = await Promise.all(Array.from({ length: 300 }, () => client.height()))
  expect(heights).toHaveLength(300)
  expect(calls).toBeGreaterThan(300)
})

it('a submission without a response is not a failure: its hash determines the outcome', async () => {
  const node = new FakeNode()
  const gateway = await listening(node)
  /** The gateway behind a link that loses every answer to a submission. */
  const lossy = await counting(async (request, response) => {
    const body: Buffer[] = []
    for await (const part of request) body.push(part as Buffer)
    const { method = 'GET', headers } = request
    const forwarded = { 'content-type': headers['content-type'] ?? '', accept: headers.accept ?? '' }
    const init = { method, headers: forwarded, ...(method === 'POST' ? { body: Buffer.concat(body) } : {}) }
    const answer = await fetch(`${gateway}${request.url}`, init)
    if (method === 'POST') return void request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  const client = clientOf(lossy.url)
  expect(await client.transactAndWait(LOG, { until: 'queued' })).toMatchObject({ state: 'queued' })
  const { id, bytes } = await client.sign(LOG)
  await expect(client.submitTransaction(bytes)).rejects.toMatchObject({
    code: 'unreachable',
    hint: expect.stringContaining(`causeway tx wait ${toHex(id)}`),
    details: { hash: toHex(id), may_have_arrived: true },
  })
  expect(await client.transactionStatus(toHex(id))).toEqual({ state: 'queued' })
  expect(node.pendingStates.size).toBe(2)
})

it('a request that never left this machine is not reported as possibly delivered', async () => {
  const server = await counting(healthy)
  const client = clientOf(await listening(new FakeNode()))
  const { bytes } = await client.sign(LOG)
  for (const close of closing.splice(0).reverse()) await close()
  const gone = new CausewayClient({ gateway: server.url, retries: 0 })
  const error = await gone.submitTransaction(bytes).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'unreachable', details: { reason: 'ECONNREFUSED' } })
  expect(error).not.toHaveProperty('details.may_have_arrived')
  await gone.close()
})
