/** The streams of events, blocks and status: subscription, filters, resuming, lag, close codes, shutdown. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  BLOCK_MESSAGE_FRAME,
  BLOCK_STREAM_START_FRAME,
  CLOSE_CODES,
  EVENT_SUBSCRIPTION_FRAME,
} from '../../../src/api/index.js'
import { toHex } from '../../../src/codec/index.js'
import type { Gateway, GatewayConfig } from '../../../src/gateway/index.js'
import { RING_EVENTS } from '../../../src/gateway/streams/limits.js'
import { formatAddress, hashOfHeader } from '../../../src/model/index.js'
import { blockAt, blocksBetween, founded, labelOf, messageOf, moved } from './fake-chain.js'
import { SocketReader, SseReader } from './stream-readers.js'
import { accountOf, alice, bob, CODEC, consensusRecord, FakeNode, gatewayOf } from './support.js'

let node: FakeNode
let gateway: Gateway
let url: string

async function start(config: Partial<GatewayConfig> = {}): Promise<void> {
  gateway = gatewayOf(node, { telemetryProfile: 'full', ...config })
  url = (await gateway.listen()).url
}
beforeEach(() => {
  node = new FakeNode()
})
afterEach(() => gateway.close())

const labels = (reader: SocketReader): string[] =>
  reader.messages.map(({ data, isBinary }) => labelOf(messageOf(data, isBinary)))
const subscribe = (start: object = { filters: [] }): Promise<SocketReader> =>
  SocketReader.open(`${url}/events`, JSON.stringify(start))

describe('/events', () => {
  it('sends every event of a block in order to a reader without filters, as text', async () => {
    await start()
    const reader = await subscribe()
    await reader.count(1)
    expect(reader.json[0]).toEqual({ Subscribed: { next_height: 8 } })
    const block = await blockAt(8, [[moved(5n)], 'rejected'])
    node.commit(block)
    await reader.count(5)
    expect(labels(reader)).toEqual(['subscribed', '8.0', '8.1', '8.2', '8.3'])
    const [first, second] = block.outcome.results
    expect(reader.json.slice(1)).toMatchObject([
      {
        Event: {
          event: {
            Data: {
              subject: 'asset',
              transaction: toHex(first!.transactionId),
              event: { Transferred: { amount: '5', to: formatAddress(accountOf(bob), 'cw') } },
            },
          },
        },
      },
      { Event: { event: { Transaction: { status: 'Approved', block_height: 8, index: 0, rejection: null } } } },
      {
        Event: {
          event: {
            Transaction: {
              status: 'Rejected',
              hash: toHex(second!.transactionId),
              rejection: { code: 'not_enough', instruction: 0 },
            },
          },
        },
      },
      {
        Event: {
          time_ms: 1_700_000_000_008,
          event: {
            Block: { status: 'Committed', hash: toHex(hashOfHeader(block.block.header)), transactions: 2, rejected: 1 },
          },
        },
      },
    ])
  })

  it('sends codec frames to a binary subscription', async () => {
    await start()
    const frame = EVENT_SUBSCRIPTION_FRAME.seal({ filters: [], after: undefined, fromHeight: undefined }, CODEC)
    const reader = await SocketReader.open(`${url}/events`, frame)
    await reader.count(1)
    node.commit(await blockAt(8, [[moved(5n)]]))
    await reader.count(4)
    expect(reader.messages.every(({ isBinary }) => isBinary)).toBe(true)
    expect(labels(reader)).toEqual(['subscribed', '8.0', '8.1', '8.2'])
  })

  const bobText = formatAddress(accountOf(bob), 'cw')
  it.each([
    ['category', { category: 'Block' }, ['8.5', '9.0']],
    ['subject of data', { subject: 'asset' }, ['8.0', '8.3']],
    ['subject of others', { subject: 'transaction' }, ['8.1', '8.4']],
    ['kind', { kind: 'DomainCreated' }, ['8.2']],
    ['account that an event names', { account: bobText, category: 'Data' }, ['8.0', '8.2', '8.3']],
    ['authority', { account: formatAddress(accountOf(alice), 'cw'), category: 'Transaction' }, ['8.1', '8.4']],
    ['asset', { asset: 'eur#d000' }, ['8.0', '8.3']],
    ['domain, by itself and by its assets', { domain: 'd000' }, ['8.0', '8.3']],
    ['domain', { domain: 'new' }, ['8.2']],
    ['status', { status: 'Committed' }, ['8.5', '9.0']],
    ['block', { block: 9 }, ['9.0']],
    ['lane', { lane: 0, dataspace: '0' }, ['8.1', '8.4']],
    ['a kind that did not occur', { kind: 'Burned' }, []],
    ['all fields at once', { asset: 'eur#d000', kind: 'Transferred', category: 'Data', block: 8 }, ['8.0', '8.3']],
  ])('filters by %s', async (_, filter, expected) => {
    await start()
    const all = await subscribe()
    const reader = await subscribe({ filters: [filter] })
    await Promise.all([all.count(1), reader.count(1)])
    node.commit(await blockAt(8, [[moved(5n)], [founded('new'), moved(6n)]]), await blockAt(9))
    await all.count(8)
    await reader.count(1 + expected.length)
    expect(labels(reader)).toEqual(['subscribed', ...expected])
  })

  it('combines filters with or, and sends an event once', async () => {
    await start()
    const reader = await subscribe({
      filters: [{ kind: 'Transferred' }, { asset: 'eur#d000' }, { status: 'Committed' }],
    })
    await reader.count(1)
    const block = await blockAt(8, [[moved(5n)]])
    node.commit(block)
    await reader.count(3)
    expect(labels(reader)).toEqual(['subscribed', '8.0', '8.2'])
  })

  it('reports a transaction from the queue to its block', async () => {
    await start()
    const block = await blockAt(8, [[moved(5n)], [moved(6n)]])
    const hash = block.outcome.results[1]!.transactionId
    const transaction = toHex(hash)
    const reader = await subscribe({
      filters: [
        { transaction, status: 'Queued' },
        { transaction, status: 'Approved' },
      ],
    })
    const unfiltered = await subscribe()
    await Promise.all([reader.count(1), unfiltered.count(1)])
    const change = { hash, authority: accountOf(alice), lane: 0, dataspace: 0n, atMs: 5 }
    for (const listener of node.pendingListeners) listener({ ...change, status: 'queued' })
    for (const listener of node.pendingListeners) listener({ ...change, hash: Buffer.alloc(32), status: 'queued' })
    node.commit(block)
    await reader.count(3)
    expect(reader.json.slice(1)).toMatchObject([
      { Event: { id: null, event: { Transaction: { status: 'Queued', hash: transaction } } } },
      { Event: { id: '8.3', event: { Transaction: { status: 'Approved', hash: transaction } } } },
    ])
    await unfiltered.count(6)
    expect(labels(unfiltered)).not.toContain('pending')
    reader.socket.close()
    await reader.until(() => reader.closed !== undefined)
  })

  it('replays from a height and continues live without gaps or duplicates', async () => {
    node.blocks.push(...(await blocksBetween(1, 50)).slice(1))
    const more = await blocksBetween(51, 90)
    await start()
    // A commit at every read of the store: the worst moment for the seam.
    node.onRead = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      const next = more.shift()
      if (next !== undefined) node.commit(next)
    }
    const readers = await Promise.all([
      subscribe({ filters: [{ category: 'Block' }], from_height: 10 }),
      subscribe({ filters: [{ category: 'Block' }], after: '20.2' }),
      subscribe({ filters: [], from_height: 40 }),
    ])
    await Promise.all(readers.map((reader) => reader.until(() => labels(reader).includes('50.2'))))
    node.onRead = async () => {}
    node.commit(...more.splice(0))
    await Promise.all(readers.map((reader) => reader.until(() => labels(reader).includes('90.2'))))
    const heights = (from: number): string[] => Array.from({ length: 91 - from }, (__, at) => `${from + at}.2`)
    expect(labels(readers[0]!)).toEqual(['subscribed', ...heights(10)])
    expect(labels(readers[1]!)).toEqual(['subscribed', ...heights(21)])
    expect(labels(readers[2]!).filter((label) => label.endsWith('.2'))).toEqual(heights(40))
    expect(new Set(labels(readers[2]!)).size).toBe(1 + 3 * 51)
  })

  it('resumes inside a block', async () => {
    node.blocks.push(await blockAt(8, [[moved(1n), moved(2n), moved(3n)]]))
    await start()
    const reader = await subscribe({ filters: [], after: '8.1' })
    await reader.count(4)
    expect(labels(reader)).toEqual(['subscribed', '8.2', '8.3', '8.4'])
  })

  it('waits for a future height', async () => {
    node.blocks.push(await blockAt(8))
    await start()
    const reader = await subscribe({ filters: [], from_height: 10 })
    const now = await subscribe()
    await Promise.all([reader.count(1), now.count(1)])
    node.commit(await blockAt(9), await blockAt(10))
    await Promise.all([reader.count(2), now.count(3)])
    expect(labels(reader)).toEqual(['subscribed', '10.0'])
    expect(labels(now)).toEqual(['subscribed', '9.0', '10.0'])
  })

  it('reports missing heights', async () => {
    node.blocks.push(...(await blocksBetween(30, 32)))
    await start()
    const reader = await subscribe({ filters: [{ category: 'Block' }], from_height: 5 })
    await reader.count(5)
    expect(reader.json[1]).toEqual({ Gap: { from: 5, to: 29 } })
    expect(labels(reader)).toEqual(['subscribed', 'gap', '30.2', '31.2', '32.2'])
  })

  it.each([
    ['invalid JSON', 'hello'],
    ['an unknown field', '{"filters":[{"colour":"red"}]}'],
    ['an invalid account', '{"filters":[{"account":"me"}]}'],
    ['an unknown kind of event', '{"filters":[{"kind":"Transfered"}]}'],
    ['an invalid position', '{"filters":[],"after":"8"}'],
    ['bytes that are not a frame', Buffer.from('hello')],
    ['a frame of another record', BLOCK_STREAM_START_FRAME.seal({ fromHeight: 1 })],
  ])('closes with its code on %s', async (_, frame) => {
    await start()
    const reader = await SocketReader.open(`${url}/events`, frame)
    await reader.until(() => reader.closed !== undefined)
    expect(reader.closed?.code).toBe(CLOSE_CODES.badSubscription)
    expect(reader.closed?.reason).not.toBe('')
  })

  it('accepts one subscription per connection, and rejects endless frames', async () => {
    await start()
    const twice = await subscribe()
    twice.socket.send('{"filters":[]}')
    const huge = await SocketReader.open(`${url}/events`, Buffer.alloc(65 * 1024))
    await twice.until(() => twice.closed !== undefined)
    await huge.until(() => huge.closed !== undefined)
    expect(twice.closed?.code).toBe(CLOSE_CODES.protocol)
    expect(huge.closed?.code).toBe(CLOSE_CODES.tooLong)
  })

  it('answers a text ping, but no other text', async () => {
    await start()
    const reader = await subscribe()
    reader.socket.send('{"op": "ping"}')
    await reader.count(2)
    expect(reader.messages.at(-1)?.data.toString()).toBe('{"op":"pong"}')
    expect(reader.closed).toBeUndefined()
    reader.socket.send('{"op":"pong"}')
    await reader.until(() => reader.closed !== undefined)
    expect(reader.closed?.code).toBe(CLOSE_CODES.protocol)
  })

  it('ends every stream with its code when the node stops', async () => {
    await start()
    const events = await subscribe()
    const silent = await SocketReader.open(`${url}/events`)
    const blocks = await SocketReader.open(`${url}/block/stream`, '{"from_height":1}')
    const sse = await SseReader.open(`${url}/v1/events/sse`)
    const status = await SseReader.open(`${url}/v1/consensus/status/sse`)
    await events.count(1)
    await gateway.close()
    for (const reader of [events, silent, blocks]) {
      await reader.until(() => reader.closed !== undefined)
      expect(reader.closed?.code).toBe(CLOSE_CODES.stopping)
    }
    await Promise.all([sse, status].map((reader) => reader.until(() => reader.ended)))
    expect(node.commitListeners.size).toBe(0)
  })

  it('closes readers when the store fails, and logs it', async () => {
    await start()
    const reader = await subscribe()
    await reader.count(1)
    node.onRead = async () => Promise.reject(new Error('disk'))
    node.commit(await blockAt(8))
    await reader.until(() => reader.closed !== undefined)
    expect(reader.closed?.code).toBe(CLOSE_CODES.failed)
  })
})

describe('a slow reader among fast ones', () => {
  it('loses its oldest events, receives the number of lost events, and does not delay others', async () => {
    await start()
    const fast = await Promise.all(Array.from({ length: 5 }, () => subscribe({ filters: [{ kind: 'Transferred' }] })))
    const slow = await subscribe()
    await Promise.all([slow, ...fast].map((reader) => reader.count(1)))
    slow.socket.pause()
    // Enough that neither the sockets nor the ring hold it.
    const blocks = await Promise.all(
      Array.from({ length: 60 }, (_, at) => blockAt(8 + at, [Array.from({ length: 400 }, () => moved(BigInt(at)))])),
    )
    for (const block of blocks) {
      node.commit(block)
      const seen = (block.block.header.height - 7) * 400
      await Promise.all(fast.map((reader) => reader.until(() => reader.messages.length > seen)))
    }
    const total = 60 * 402
    for (const reader of fast) expect(labels(reader)).toHaveLength(1 + 60 * 400)
    slow.socket.resume()
    const end = '"id":"67.401"'
    await slow.until(() => slow.messages.at(-1)?.data.includes(end) === true)
    const messages = slow.messages.map(({ data, isBinary }) => messageOf(data, isBinary))
    const missed = messages.reduce((sum, one) => sum + (one.kind === 'lagged' ? one.value.missed : 0), 0)
    const got = labels(slow).filter((label) => label.includes('.'))
    expect(missed).toBeGreaterThan(0)
    expect(got.length + missed).toBe(total)
    expect(new Set(got).size).toBe(got.length)
    expect(got.length).toBeGreaterThanOrEqual(RING_EVENTS)
  })
})

describe('/block/stream', () => {
  it('sends each block from a height on, as frames or as JSON', async () => {
    node.blocks.push(...(await blocksBetween(2, 20)))
    await start()
    const text = await SocketReader.open(`${url}/block/stream`, '{"from_height":2}')
    const binary = await SocketReader.open(`${url}/block/stream`, BLOCK_STREAM_START_FRAME.seal({ fromHeight: 19 }))
    await Promise.all([text.count(19), binary.count(2)])
    node.commit(...(await blocksBetween(21, 22)))
    await Promise.all([text.count(21), binary.count(4)])
    const heights = text.json.map((one) => (one['Block'] as { header: { height: number } }).header.height)
    expect(heights).toEqual(Array.from({ length: 21 }, (_, at) => 2 + at))
    expect(text.json[0]).toMatchObject({
      Block: {
        hash: toHex(hashOfHeader(node.blocks[0]!.block.header)),
        certificate: { phase: 'Commit' },
        body: { Block: { entries: [{ lane: 0, transaction: { payload: { chain: 'test-chain' } } }] } },
        results: [{ outcome: 'Approved' }],
      },
    })
    const last = BLOCK_MESSAGE_FRAME.open(binary.messages[3]!.data, CODEC)
    if (!last.ok || last.value.kind !== 'block') throw new Error('no block')
    const { body, header } = last.value.value
    expect(header.height).toBe(22)
    // The very bytes that the payload hash is of.
    expect(body.kind === 'block' && Buffer.from(body.value.bytes)).toEqual(node.blocks.at(-1)!.block.body)
  })

  it('reports missing heights', async () => {
    node.blocks.push(...(await blocksBetween(30, 31)))
    await start()
    const reader = await SocketReader.open(`${url}/block/stream`, '{"from_height":1}')
    await reader.count(3)
    expect(reader.json[0]).toEqual({ Gap: { from: 1, to: 29 } })
  })

  it('refuses height 0', async () => {
    await start()
    const reader = await SocketReader.open(`${url}/block/stream`, '{"from_height":0}')
    await reader.until(() => reader.closed !== undefined)
    expect(reader.closed?.code).toBe(CLOSE_CODES.badSubscription)
  })
})

describe('/v1/events/sse', () => {
  it('sends the name, number and order of events', async () => {
    await start()
    const reader = await SseReader.open(`${url}/v1/events/sse`)
    expect(reader.response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    await reader.until(() => reader.text.includes(': subscribed'))
    expect(reader.text).toContain('retry: 3000\n')
    node.commit(await blockAt(8, [[moved(5n)]]))
    await reader.until(() => reader.events.length === 3)
    expect(reader.events.map(({ id, event }) => [id, event])).toEqual([
      ['8.0', 'data'],
      ['8.1', 'transaction'],
      ['8.2', 'block'],
    ])
    expect(reader.events[2]!.data).toMatchObject({ id: '8.2', event: { Block: { height: 8 } } })
    reader.close()
  })

  it('resumes after Last-Event-ID, which overrides the query', async () => {
    node.blocks.push(...(await blocksBetween(8, 12)))
    await start()
    const reader = await SseReader.open(`${url}/v1/events/sse?category=block&from_height=8`, {
      'last-event-id': '10.2',
    })
    await reader.until(() => reader.events.length === 2)
    expect(reader.events.map(({ id }) => id)).toEqual(['11.2', '12.2'])
    reader.close()
  })

  it('filters by the fields of the query string, or by a list', async () => {
    node.blocks.push(await blockAt(8, [[moved(1n), founded('new')], 'rejected']))
    await start()
    const list = encodeURIComponent('[{"kind":"DomainCreated"},{"status":"Rejected"}]')
    const fields = await SseReader.open(`${url}/v1/events/sse?kind=Transferred&asset=eur%23d000&from_height=8`)
    const several = await SseReader.open(`${url}/v1/events/sse?from_height=8&filter=${list}`)
    await fields.until(() => fields.events.length === 1)
    await several.until(() => several.events.length === 2)
    expect(fields.events[0]!.id).toBe('8.0')
    expect(several.events.map(({ id }) => id)).toEqual(['8.1', '8.3'])
    fields.close()
    several.close()
  })

  it.each([
    ['?colour=red', {}, 'validation_failed'],
    ['?account=me', {}, 'validation_failed'],
    ['?account=nobody@', {}, 'validation_failed'],
    ['?filter=nonsense', {}, 'validation_failed'],
    ['?kind=nosuch', {}, 'validation_failed'],
    ['?subject=nosuch', {}, 'validation_failed'],
    ['?filter=[{"kind":"nosuch"}]', {}, 'validation_failed'],
    ['?filter=[]&kind=Burned', {}, 'validation_failed'],
    ['', { 'last-event-id': 'x' }, 'validation_failed'],
  ])('refuses %s %j', async (search, headers, code) => {
    await start()
    const answer = await fetch(`${url}/v1/events/sse${search}`, { headers })
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, code])
  })

  it('reports an unknown word of a filter, with a suggestion', async () => {
    await start()
    const asked = async (search: string) => (await fetch(`${url}/v1/events/sse${search}`)).json()
    expect(await asked('?kind=transfered')).toMatchObject({
      message: expect.stringMatching(/^kind: unknown value "transfered"; close matches: Transferred(, \w+){0,4}$/),
      hint: 'Run `causeway codec schema`, which lists all events.',
      details: { faults: [{ path: 'kind' }] },
    })
    expect(await asked('?filter=nope')).toMatchObject({ details: { faults: [{ path: 'filter' }] } })
    expect(await asked('?account=nobody@bank')).toMatchObject({
      code: 'not_found',
      message: 'account: account does not exist',
    })
  })

  it('accepts an account by its alias, as lists do', async () => {
    node.blocks.push(await blockAt(8, [[moved(1n)]]))
    await start()
    const reader = await SseReader.open(`${url}/v1/events/sse?account=alice@d000&kind=Approved&from_height=8`)
    await reader.until(() => reader.events.length === 1)
    expect(reader.events[0]!.id).toBe('8.1')
    reader.close()
  })

  it('returns only headers for HEAD', async () => {
    await start()
    const answer = await fetch(`${url}/v1/events/sse`, { method: 'HEAD' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  })
})

describe('the OpenAPI document', () => {
  it('lists the streams with their content', async () => {
    await start()
    const document = (await (await fetch(`${url}/openapi`)).json()) as {
      paths: Record<string, { get: Record<string, unknown> }>
      components: { schemas: Record<string, unknown> }
    }
    const { paths, components } = document
    expect(paths['/events']!.get['x-websocket']).toMatchObject({
      client: { schema: { $ref: '#/components/schemas/EventSubscription' }, 'x-codec-type-id': 7 },
      server: { schema: { $ref: '#/components/schemas/EventMessage' } },
      'x-close-codes': { tooSlow: 4413 },
    })
    expect(paths['/block/stream']!.get['x-websocket']).toBeDefined()
    expect(Object.keys(paths['/v1/events/sse']!.get['x-events'] as object)).toContain('gap')
    expect(paths['/v1/consensus/status/sse']!.get['x-telemetry-profiles']).toContain('operator')
    expect(components.schemas['Transferred']).toBeDefined()
  })
})

describe('/v1/consensus/status/sse', () => {
  it('sends the full status at once and again when it changes', async () => {
    await start()
    const reader = await SseReader.open(`${url}/v1/consensus/status/sse`)
    await reader.until(() => reader.events.length === 1)
    expect(reader.events[0]).toMatchObject({ event: 'status', data: { height: 7, commit_qc: { height: 7 } } })
    node.consensus = () => consensusRecord({ height: 8 })
    await reader.until(() => reader.events.length === 2)
    expect(reader.events[1]).toMatchObject({ event: 'status', data: { height: 8 } })
    const late = await SseReader.open(`${url}/v1/consensus/status/sse`)
    await late.until(() => late.events.length === 1)
    expect(late.events[0]).toMatchObject({ data: { height: 8 } })
    reader.close()
    late.close()
  })

  it('is hidden by a profile without status', async () => {
    await start({ telemetryProfile: 'disabled' })
    const answer = await fetch(`${url}/v1/consensus/status/sse`)
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      503,
      'telemetry_profile_restricted',
    ])
  })
})
