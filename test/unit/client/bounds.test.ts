/** Bounds of what a gateway may send: events, messages, lists, waits. */
import { describe, expect, it, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { Deadline } from '../../../src/client/deadline.js'
import { CausewayClient } from '../../../src/client/index.js'
import { EMPTY_PAGES_MAX, PageGuard } from '../../../src/client/pages.js'
import { routeOf } from '../../../src/client/route-of.js'
import { Inbox } from '../../../src/client/streams/inbox.js'
import { SseParser } from '../../../src/client/streams/sse.js'
import { FAULTY_RESPONSES, faultyGateway } from '../../support/faulty-gateway.js'
import { alice } from '../gateway/support.js'

const MIB = 1024 * 1024

describe('an event of a stream', () => {
  const NOT_A_GATEWAY = expect.objectContaining({ code: 'not_a_gateway' })
  const refusal = (push: (parser: SseParser) => void): unknown => {
    try {
      push(new SseParser())
      return undefined
    } catch (error) {
      return error
    }
  }

  it('is limited to 1 MiB, in one line, in many lines, or in pieces without line breaks', () => {
    expect(refusal((parser) => parser.push(`data: ${'x'.repeat(MIB)}`))).toEqual(NOT_A_GATEWAY)
    expect(refusal((parser) => parser.push(`data: ${'x'.repeat(1_000)}\n`.repeat(1_100)))).toEqual(NOT_A_GATEWAY)
    expect(
      refusal((parser) => {
        for (let at = 0; at < 2 * MIB; at += 64) parser.push('x'.repeat(64))
      }),
    ).toEqual(NOT_A_GATEWAY)
  })

  it('can have exactly 1 MiB, repeatedly', () => {
    const parser = new SseParser()
    const event = `data: ${'x'.repeat(MIB - 10)}\n\n`
    for (let count = 0; count < 4; count += 1) expect(parser.push(event)).toHaveLength(1)
  })
})

describe('the buffer of a slow reader', () => {
  it('pauses the sender at 32 MiB, and resumes it when the buffer is read', async () => {
    const sender = { pause: vi.fn(), resume: vi.fn(), close: vi.fn() }
    const inbox = new Inbox<Buffer>(sender)
    const message = Buffer.alloc(4 * MIB)
    for (let count = 0; count < 7; count += 1) inbox.push(message)
    expect(sender.pause).not.toHaveBeenCalled()
    inbox.push(message)
    expect(sender.pause).toHaveBeenCalledOnce()
    const items = inbox[Symbol.asyncIterator]()
    for (let count = 0; count < 8; count += 1) await items.next()
    expect(sender.resume).not.toHaveBeenCalled()
    const next = items.next()
    await Promise.resolve()
    expect(sender.resume).toHaveBeenCalledOnce()
    inbox.end()
    expect(await next).toMatchObject({ done: true })
  })

  it('accepts no message of more than 4 MiB', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    server.on('connection', (socket) => socket.on('message', () => socket.send(Buffer.alloc(4 * MIB + 1))))
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const { openSocket } = await import('../../../src/client/streams/web-socket.js')
    const request = { url: `ws://127.0.0.1:${port}`, headers: {}, handshakeMs: 5_000, start: '{}', signal: undefined }
    const messages = (await openSocket(request))[Symbol.asyncIterator]()
    await expect(messages.next()).rejects.toMatchObject({ code: 'not_a_gateway' })
    server.close()
  })
})

describe('a list', () => {
  const error = expect.objectContaining({ code: 'not_a_gateway' })

  it('continues while its cursors are new', () => {
    const guard = new PageGuard()
    for (let at = 0; at < 1_000; at += 1) expect(guard.next(`c${at}`, 1)).toBe(`c${at}`)
    expect(guard.next(undefined, 0)).toBeUndefined()
  })

  it('ends at a repeated cursor, however long ago it was first used', () => {
    const guard = new PageGuard()
    for (const cursor of ['a', 'b', 'c']) guard.next(cursor, 1)
    expect(() => guard.next('a', 1)).toThrow(error)
  })

  it('ends after consecutive empty pages', () => {
    const guard = new PageGuard()
    for (let at = 0; at < EMPTY_PAGES_MAX; at += 1) guard.next(`c${at}`, 0)
    expect(() => guard.next('last', 0)).toThrow(error)
  })
})

describe('a deadline', () => {
  it('excludes time spent in prompts', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const deadline = new Deadline(1_000)
    vi.advanceTimersByTime(400)
    await deadline.outside(async () => void vi.advanceTimersByTime(60_000))
    expect(deadline.leftMs()).toBe(600)
    vi.advanceTimersByTime(700)
    expect(deadline.leftMs()).toBe(0)
    vi.useRealTimers()
  })

  it('applies to all calls of a client together', async () => {
    const gateway = await faultyGateway(() => FAULTY_RESPONSES['nothing at all'] ?? (() => undefined))
    const client = new CausewayClient({ gateway: gateway.url, timeoutMs: 60_000, deadline: new Deadline(100) })
    await expect(client.health()).rejects.toMatchObject({ code: 'unreachable' })
    await expect(client.status()).rejects.toMatchObject({ code: 'unreachable' })
    await client.close()
    await gateway.close()
  })

  it('also limits the wait for a query, whatever the gateway requests', async () => {
    const capabilities = await fetchCapabilities()
    const gateway = await faultyGateway(() => FAULTY_RESPONSES['a wait of days'] ?? (() => undefined), capabilities)
    const client = new CausewayClient({ gateway: gateway.url, signer: alice })
    await expect(client.query('domains')).rejects.toMatchObject({ code: 'rate_limited' })
    expect(gateway.asked.filter((one) => one.startsWith('POST'))).toHaveLength(1)
    await client.close()
    await gateway.close()
  })
})

async function fetchCapabilities(): Promise<string> {
  const { FakeNode, gatewayOf } = await import('../gateway/support.js')
  return (await gatewayOf(new FakeNode()).inject({ url: '/v1/node/capabilities' })).body
}

describe('plain http to another machine', () => {
  it.each([{ apiToken: 'secret' }, { session: 'secret' }])('is refused with %j', (secret) => {
    expect(() => new CausewayClient({ gateway: 'http://bank.example', ...secret })).toThrow('without encryption')
    for (const gateway of ['https://bank.example', 'http://127.0.0.1:8080', 'http://[::1]:8080'])
      expect(new CausewayClient({ gateway, ...secret })).toBeDefined()
    expect(new CausewayClient({ gateway: 'http://bank.example', insecure: true, ...secret })).toBeDefined()
  })
})

describe('the table entry of a path', () => {
  it.each([
    ['GET', '/v1/accounts/alice%40bank', 'ledger.account'],
    ['GET', '/v1/consensus/evidence/count', 'consensus.evidence.count'],
    ['GET', '/v1/ledger/block/7/proof/ab', 'ledger.block.proof'],
    ['GET', '/status?x=1', 'status'],
  ])('is known for %s %s', (method, path, id) => {
    expect(routeOf(method, path)?.id).toContain(id.split('.').at(-1))
  })
  it('is undefined for an unknown path', () => {
    expect([routeOf('GET', '/nowhere'), routeOf('DELETE', '/status')]).toEqual([undefined, undefined])
  })
})
