/** The client's streams against a real gateway: typed items, resuming over restarts, slow readers, refusals. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CausewayClient, type EventItem } from '../../../src/client/index.js'
import { SseParser } from '../../../src/client/streams/sse.js'
import type { Gateway } from '../../../src/gateway/index.js'
import { pause } from '../../support/ports.js'
import { blockAt, blocksBetween, moved } from '../gateway/fake-chain.js'
import { accountOf, alice, FakeNode, gatewayOf, signedBytes } from '../gateway/support.js'

let node: FakeNode
let gateway: Gateway
let proxy: Wire
let client: CausewayClient

/** A port that stays the same while what is behind it comes and goes, and that can cut connections. */
class Wire {
  private readonly pairs = new Set<Socket>()
  target = 0
  /** Lets bytes of an answer through; false cuts the connection. */
  passes: (bytes: Buffer) => boolean = () => true

  private constructor(private readonly server: Server) {
    server.on('connection', (near) => {
      const far = connect(this.target, '127.0.0.1')
      for (const one of [near, far]) {
        this.pairs.add(one)
        one.on('error', () => one.destroy())
        one.on('close', () => {
          this.pairs.delete(one)
          near.destroy()
          far.destroy()
        })
      }
      near.on('data', (bytes) => far.write(bytes))
      far.on('data', (bytes) => {
        if (this.passes(bytes)) near.write(bytes)
        else near.destroy()
      })
    })
  }

  static async start(): Promise<Wire> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new Wire(server)
  }

  get url(): string {
    const address = this.server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  }

  cut(): void {
    for (const socket of this.pairs) socket.destroy()
  }

  close(): void {
    this.server.close()
    this.cut()
  }
}

async function startGateway(): Promise<void> {
  gateway = gatewayOf(node, { telemetryProfile: 'full', closeTimeoutMs: 100 })
  proxy.target = (await gateway.listen()).port
}

beforeEach(async () => {
  node = new FakeNode()
  proxy = await Wire.start()
  await startGateway()
  client = new CausewayClient({ gateway: proxy.url })
})
afterEach(async () => {
  await client.close()
  proxy.close()
  await gateway.close()
})

/** Collects items up to a number. */
async function take<T>(items: AsyncIterable<T>, count: number, onItem: (item: T, taken: number) => void = () => {}) {
  const taken: T[] = []
  for await (const item of items) {
    taken.push(item)
    onItem(item, taken.length)
    if (taken.length === count) break
  }
  return taken
}
const idOf = (item: EventItem): string =>
  item.kind === 'event' ? (item.value.id ?? '-') : `gap ${item.value.from}-${item.value.to}`

describe.each(['websocket', 'sse'] as const)('events over %s', (transport) => {
  it('are typed, filtered and in order', async () => {
    node.blocks.push(await blockAt(8, [[moved(5n)], 'rejected']))
    const items = await take(
      client.events({ transport, fromHeight: 8, filters: [{ kind: 'Transferred' }, { account: accountOf(alice) }] }),
      3,
    )
    expect(items.map(idOf)).toEqual(['8.0', '8.1', '8.2'])
    const [first, , third] = items
    if (first?.kind !== 'event' || first.value.event.kind !== 'data') throw new Error('no change')
    expect(first.value.event.value.event).toEqual(moved(5n))
    if (third?.kind !== 'event' || third.value.event.kind !== 'transaction') throw new Error('no transaction')
    expect(third.value.event.value).toMatchObject({ status: 'rejected', rejection: { code: 'not_enough' } })
  })

  it('resume after cut connections and a restart', async () => {
    node.blocks.push(...(await blocksBetween(8, 27)))
    const expected = node.blocks.flatMap(({ block }) => [0, 1, 2].map((index) => `${block.header.height}.${index}`))
    const items = await take(client.events({ transport, fromHeight: 8 }), expected.length, (_, taken) => {
      if (taken === 5 || taken === 20) proxy.cut()
      if (taken === 40) void gateway.close().then(startGateway)
    })
    expect(items.map(idOf)).toEqual(expected)
  })

  it('include every event committed while the connection was down, even if no event had arrived before', async () => {
    node.blocks.push(await blockAt(8))
    const events = client.events({ transport, after: '8.0' })
    const first = events.next()
    const [nine, ten] = [await blockAt(9), await blockAt(10)]
    while (node.commitListeners.size === 0) await new Promise((resolve) => setImmediate(resolve))
    proxy.cut()
    node.commit(nine)
    expect(idOf((await first).value as EventItem)).toBe('9.0')
    node.commit(ten)
    expect(idOf((await events.next()).value as EventItem)).toBe('10.0')
    await events.return()
  })

  it('include every event committed while the connection was down, even without a start position', async () => {
    node.blocks.push(await blockAt(8))
    const [nine, ten] = [await blockAt(9), await blockAt(10)]
    const opened = new Promise<void>((resolve) => {
      proxy.passes = (bytes) => {
        if (/ 101 |event-stream/.test(bytes.toString('latin1'))) resolve()
        return true
      }
    })
    const events = client.events({ transport })
    const first = events.next()
    await opened
    proxy.cut()
    node.commit(nine)
    node.commit(ten)
    expect(idOf((await first).value as EventItem)).toBe('9.0')
    await events.return()
  })

  it('report missing heights', async () => {
    node.blocks.push(await blockAt(30))
    const items = await take(client.events({ transport, fromHeight: 3 }), 2)
    expect(items.map(idOf)).toEqual(['gap 3-29', '30.0'])
  })

  it('end on the abort signal, and throw permanent errors', async () => {
    const stop = new AbortController()
    const events = client.events({ transport, signal: stop.signal })
    const next = events.next()
    setImmediate(() => stop.abort())
    expect((await next).done).toBe(true)
    const refused = client.events({
      transport,
      filters: [{ kind: 'x'.repeat(64), subject: 'y'.repeat(64) }],
      after: 'no',
    })
    await expect(refused.next()).rejects.toThrow()
    const unreachable = new CausewayClient({ gateway: 'http://127.0.0.1:1', retries: 0 })
    await expect(unreachable.events({ transport }).next()).rejects.toMatchObject({ code: 'unreachable' })
    await unreachable.close()
  })
})

describe('a slow reader', () => {
  it('receives every event even if the node dropped some', async () => {
    await client.chain()
    const events = client.events({ filters: [{ category: 'data' }], fromHeight: 8 })
    const first = events.next()
    const blocks = await Promise.all(
      Array.from({ length: 60 }, (_, at) => blockAt(8 + at, [Array.from({ length: 400 }, () => moved(BigInt(at)))])),
    )
    node.commit(blocks[0]!)
    const seen = [idOf((await first).value as EventItem)]
    for (const block of blocks.slice(1)) {
      node.commit(block)
      await pause(2)
    }
    for await (const item of events) {
      seen.push(idOf(item))
      if (seen.length === 60 * 400) break
    }
    expect(seen).toEqual(blocks.flatMap((_, at) => Array.from({ length: 400 }, (__, index) => `${8 + at}.${index}`)))
  })
})

describe('blocks', () => {
  it('arrive in order and once, over cut connections', async () => {
    node.blocks.push(...(await blocksBetween(8, 30)))
    const items = await take(client.blocks({ fromHeight: 6 }), 24, (_, taken) => {
      if (taken === 3 || taken === 9) proxy.cut()
    })
    expect(items[0]).toEqual({ kind: 'gap', value: { from: 6, to: 7 } })
    const heights = items.slice(1).map((item) => item.kind === 'block' && item.value.header.height)
    expect(heights).toEqual(Array.from({ length: 23 }, (_, at) => 8 + at))
  })
})

describe('status updates', () => {
  it('start with the current status, also after a reconnect', async () => {
    const statuses = await take(client.consensusStatuses(), 2, () => proxy.cut())
    expect(statuses.map((status) => status.height)).toEqual([7, 7])
  })
})

describe('a submission with a lost 202 response', () => {
  it('is retried and results in one transaction with its hash', async () => {
    const bytes = await signedBytes(77)
    let lost = 0
    proxy.passes = (answer) => {
      if (!answer.includes('202 Accepted') || lost > 0) return true
      lost += 1
      return false
    }
    const submission = await client.submitTransaction(bytes)
    expect(lost).toBe(1)
    expect(node.submitted).toEqual([bytes, bytes])
    expect(node.pendingStates.get(submission.transactionHash.toString('hex'))).toEqual({ kind: 'queued' })
    expect(node.pendingStates.size).toBe(1)
  })
})

describe('events in a byte stream', () => {
  it('are assembled from pieces of any size, without comments', () => {
    const text = ': hello\n\nid: 1.0\nevent: data\ndata: {"a":1}\n\nretry: 3000\n\ndata: x\r\ndata: y\r\n\r\n'
    for (const size of [1, 3, 1_000]) {
      const parser = new SseParser()
      const found = []
      for (let at = 0; at < text.length; at += size) found.push(...parser.push(text.slice(at, at + size)))
      expect(found).toEqual([
        { id: '1.0', event: 'data', data: '{"a":1}' },
        { id: undefined, event: 'message', data: 'x\ny' },
      ])
    }
  })
})
