/** Live telemetry: what is measured of peers, when a report of a block counts, what readers of the stream get. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { routesOf } from '../../../src/api/feature.js'
import { TELEMETRY_PROFILES } from '../../../src/api/index.js'
import { type LiveEvent, streamLive } from '../../../src/api/stream-source.js'
import type { TelemetryEvent } from '../../../src/client/index.js'
import { CausewayClient } from '../../../src/client/index.js'
import type { RunningService, ServiceContext } from '../../../src/features/service.js'
import { TelemetryBoard } from '../../../src/features/telemetry/node/board.js'
import { telemetryConfig } from '../../../src/features/telemetry/node/config.js'
import {
  AHEAD_BLOCKS_MAX,
  FIRST_ANSWERS_MS,
  WATCHED_AFTER_READ_MS,
} from '../../../src/features/telemetry/node/limits.js'
import { openTelemetry } from '../../../src/features/telemetry/node/open.js'
import { Propagation } from '../../../src/features/telemetry/node/propagation.js'
import { Watch } from '../../../src/features/telemetry/node/watch.js'
import {
  liveRoute,
  PROPAGATION_BLOCKS,
  type TelemetryPeer,
  telemetrySchema,
} from '../../../src/features/telemetry/schema.js'
import type { Gateway } from '../../../src/gateway/index.js'
import { LiveStream } from '../../../src/gateway/streams/live-stream.js'
import type { StreamSink } from '../../../src/gateway/streams/stream-sink.js'
import { CODEC, FakeNode, gatewayOf } from '../gateway/support.js'

describe('the block propagation of gateways', () => {
  it('counts reports of the committed block, whether they arrive before or after its commit', () => {
    const propagation = new Propagation(10)
    propagation.report('a', 11, 'x', 1_000)
    propagation.report('liar', 11, 'other', 1)
    expect(propagation.rows()).toEqual([])
    propagation.committed(11, 'x')
    propagation.report('b', 11, 'x', 1_040)
    const row = { block: 11, firstSeenMs: 1_000, lastSeenMs: 1_040, spreadMs: 40, peersReported: 2 }
    expect(propagation.rows()).toEqual([row])
    expect(propagation.changes()).toEqual([row])
    expect(propagation.changes()).toEqual([])
  })

  it('uses the first report of each gateway, and ignores reports far from the head of this node', () => {
    const propagation = new Propagation(1_000)
    propagation.report('a', 1_001, 'x', 5)
    propagation.report('a', 1_001, 'x', 9)
    propagation.report('a', 1_001 + AHEAD_BLOCKS_MAX, 'x', 5)
    propagation.report('a', 1_000 - PROPAGATION_BLOCKS, 'x', 5)
    for (let height = 1_001; height <= 1_001 + AHEAD_BLOCKS_MAX; height++) propagation.committed(height, 'x')
    expect(propagation.rows().map(({ block, lastSeenMs }) => [block, lastSeenMs])).toEqual([])
    propagation.report('a', 1_001 + AHEAD_BLOCKS_MAX, 'x', 7)
    expect(propagation.rows()).toMatchObject([{ block: 1_001 + AHEAD_BLOCKS_MAX, firstSeenMs: 7 }])
  })

  it('keeps the last 256 blocks for any number of reports', () => {
    const propagation = new Propagation(0)
    for (let height = 1; height <= 3 * PROPAGATION_BLOCKS; height++) {
      for (const gateway of ['a', 'b']) propagation.report(gateway, height, `${height}`, height)
      propagation.committed(height, `${height}`)
    }
    const rows = propagation.rows()
    expect(rows).toHaveLength(PROPAGATION_BLOCKS)
    expect(rows[0]).toMatchObject({ block: 3 * PROPAGATION_BLOCKS, peersReported: 2 })
    expect(propagation.changes()).toHaveLength(PROPAGATION_BLOCKS)
  })
})

describe('telemetry events of a peer', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('contain the changed record or the changed status, at most ten times a second', () => {
    const { services } = new FakeNode()
    let view: TelemetryPeer = {
      peer: 'p1',
      url: 'http://gateway',
      source: 'gateway',
      connected: true,
      height: 1,
      role: undefined,
      version: '0.1.0',
      rttMs: 2,
      clockOffsetMs: undefined,
      queueSize: 0,
      uptimeMs: 5,
    }
    const board = new TelemetryBoard({
      services,
      gateways: [{ view: () => view }],
      propagation: new Propagation(7),
      wallMs: () => Date.now(),
      monotonicMs: () => performance.now(),
    })
    expect(board.peers().map(({ peer, source, role, rttMs }) => [peer, source, role, rttMs])).toEqual([
      ['p1', 'link', 'validator', undefined],
      ['p2', 'link', 'observer', undefined],
      ['p1', 'gateway', 'validator', 2],
    ])
    const published: LiveEvent[] = []
    const stop = board.open((events) => published.push(...events))
    for (let height = 2; height <= 50; height++) {
      view = { ...view, height }
      vi.advanceTimersByTime(20)
    }
    expect(published.every(({ event }) => event === 'peer_status')).toBe(true)
    expect(published.length).toBeGreaterThan(5)
    expect(published.length).toBeLessThanOrEqual(10)
    published.length = 0
    view = { ...view, rttMs: 3, connected: false }
    vi.advanceTimersByTime(100)
    expect(published).toMatchObject([{ event: 'peer_info', value: { rttMs: 3, connected: false } }])
    vi.advanceTimersByTime(5_000)
    expect(published.at(-1)).toMatchObject({
      event: 'network_status',
      value: { peers: 2, gateways: 1, gatewaysConnected: 0 },
    })
    stop()
    published.length = 0
    view = { ...view, connected: true }
    vi.advanceTimersByTime(10_000)
    expect(published).toEqual([])
  })
})

describe('the monitoring of gateways', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** A gateway that counts, and answers when it is told to. */
  function counted() {
    let answer: () => void = () => undefined
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    const calls: string[] = []
    const gateway = {
      start: () => void calls.push('start'),
      stop: async () => void calls.push('stop'),
      answered: () => answered,
    }
    const watch = new Watch([gateway], () => performance.now())
    return { watch, calls, answer: () => answer() }
  }

  it('starts with a read once the node is running, and ends two minutes after the last read', async () => {
    const { watch, calls } = counted()
    watch.read()
    await vi.advanceTimersByTimeAsync(1)
    expect([watch.on, calls]).toEqual([false, []])
    watch.resume()
    await vi.advanceTimersByTimeAsync(10 * WATCHED_AFTER_READ_MS)
    expect(calls).toEqual([])
    watch.read()
    await vi.advanceTimersByTimeAsync(WATCHED_AFTER_READ_MS - 1_000)
    watch.read()
    await vi.advanceTimersByTimeAsync(WATCHED_AFTER_READ_MS - 1_000)
    expect([watch.on, calls]).toEqual([true, ['start']])
    await vi.advanceTimersByTimeAsync(2_000)
    expect([watch.on, calls]).toEqual([false, ['start', 'stop']])
  })

  it('continues while a stream is open, even without other reads', async () => {
    const { watch, calls } = counted()
    watch.resume()
    const [one, other] = [watch.hold(), watch.hold()]
    watch.read()
    await vi.advanceTimersByTimeAsync(5 * WATCHED_AFTER_READ_MS)
    one()
    await vi.advanceTimersByTimeAsync(5 * WATCHED_AFTER_READ_MS)
    expect([watch.on, calls]).toEqual([true, ['start']])
    other()
    other()
    await vi.advanceTimersByTimeAsync(WATCHED_AFTER_READ_MS + 1_000)
    expect([watch.on, calls]).toEqual([false, ['start', 'stop']])
  })

  it('answers the first read once all gateways have responded, or after 1 s', async () => {
    const quick = counted()
    quick.watch.resume()
    let isAnswered = false
    const reading = quick.watch.readAnswered().then(() => {
      isAnswered = true
    })
    await vi.advanceTimersByTimeAsync(100)
    expect(isAnswered).toBe(false)
    quick.answer()
    await reading
    const silent = counted()
    silent.watch.resume()
    const waiting = silent.watch.readAnswered()
    await vi.advanceTimersByTimeAsync(FIRST_ANSWERS_MS)
    await waiting
    expect(silent.watch.on).toBe(true)
  })

  it('waits for a silent gateway only in the first read', async () => {
    const { watch } = counted()
    watch.resume()
    const first = watch.readAnswered()
    await vi.advanceTimersByTimeAsync(FIRST_ANSWERS_MS)
    await first
    await watch.readAnswered()
    expect([watch.on, vi.getTimerCount()]).toEqual([true, 1])
  })

  it('ends with the node, and does not start again', async () => {
    const { watch, calls } = counted()
    watch.resume()
    const release = watch.hold()
    await vi.advanceTimersByTimeAsync(1)
    await watch.close()
    release()
    watch.read()
    await vi.advanceTimersByTimeAsync(2 * WATCHED_AFTER_READ_MS)
    expect([watch.on, calls]).toEqual([false, ['start', 'stop']])
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a client of a live stream', () => {
  const events = ['first', 'network_status', 'lagged']
  const source = (first: () => unknown) => {
    const schema = { toJson: (value: unknown) => value }
    let publish: (published: readonly LiveEvent[]) => void = () => undefined
    let open = 0
    const schemas = Object.fromEntries(events.map((event) => [event, schema])) as never
    const [, live] = streamLive(liveRoute, {
      schemas,
      first: () => ({ event: 'first', value: first() }),
      open: (published) => {
        publish = published
        open += 1
        return () => {
          open -= 1
        }
      },
    })
    return {
      live: live as never,
      publish: (value: number) => publish([{ event: 'network_status', value }]),
      open: () => open,
    }
  }
  const sinkOf = (got: string[]) => {
    const sink = { ready: true, closed: false, write: (bytes: Buffer) => got.push(bytes.toString()) }
    return sink as unknown as StreamSink & { ready: boolean; closed: boolean }
  }

  it('that falls behind receives the number of missed events, and the full state', () => {
    let state = 0
    const { live, publish, open } = source(() => ({ state }))
    const stream = new LiveStream(live, CODEC)
    const [slow, quick]: string[][] = [[], []]
    const sink = sinkOf(slow ?? [])
    const other = sinkOf(quick ?? [])
    stream.add(sink)
    stream.add(other)
    expect(open()).toBe(1)
    sink.ready = false
    for (state = 1; state <= 3; state++) publish(state)
    expect(slow).toHaveLength(1)
    sink.ready = true
    state = 4
    publish(4)
    expect(slow?.[1]).toBe('event: lagged\ndata: {"missed":4}\n\nevent: first\ndata: {"state":4}\n\n')
    expect(quick?.slice(1)).toEqual([1, 2, 3, 4].map((value) => `event: network_status\ndata: ${value}\n\n`))
    stream.remove(sink)
    expect(open()).toBe(1)
    stream.remove(other)
    expect(open()).toBe(0)
  })

  it('that disconnects before it is added leaves no source running', () => {
    const { live, open } = source(() => 0)
    const stream = new LiveStream(live, CODEC)
    const sink = sinkOf([])
    sink.closed = true
    stream.add(sink)
    expect(open()).toBe(0)
  })

  it('cannot be served if a schema has no declared event', () => {
    const live = {
      schemas: { nothing: {} } as never,
      first: () => ({ event: 'first', value: 0 }),
      open: () => () => {},
    }
    expect(() => streamLive(liveRoute, live)).toThrow('does not declare the event nothing')
  })
})

describe('the telemetry of a node', () => {
  const running: { close?(): Promise<void> }[] = []
  afterEach(async () => {
    for (const one of running.splice(0).reverse()) await one.close?.()
  })

  async function nodeWith(
    gateways: readonly string[],
    profile = 'operator',
  ): Promise<{ url: string; gateway: Gateway }> {
    const node = new FakeNode()
    const context = { services: node.services } as unknown as ServiceContext
    const service: RunningService = openTelemetry(context, { gateways })
    const gateway = gatewayOf(
      node,
      { telemetryProfile: profile as 'operator' },
      {
        routes: routesOf(telemetrySchema as never),
        handlers: service.handlers ?? new Map(),
        streams: service.streams ?? new Map(),
      },
    )
    running.push(gateway, service)
    const { url } = await gateway.listen()
    await service.resume?.()
    return { url, gateway }
  }

  it.each(TELEMETRY_PROFILES)('is shown or hidden as the profile %s specifies', async (profile) => {
    const { gateway } = await nodeWith([], profile)
    for (const path of ['/v1/telemetry/peers-info', '/v1/telemetry/propagation']) {
      const { statusCode } = await gateway.inject({ url: path })
      expect([path, statusCode]).toEqual([path, profile === 'disabled' ? 503 : 200])
    }
    if (profile === 'disabled') expect((await gateway.inject({ url: liveRoute.path })).statusCode).toBe(503)
  })

  it('includes events of a watched gateway, and ignores a gateway that cannot be reached', async () => {
    const watched = await nodeWith([])
    const { url } = await nodeWith([watched.url, 'http://127.0.0.1:1'])
    const client = new CausewayClient({ gateway: url })
    const end = new AbortController()
    const seen: TelemetryEvent[] = []
    for await (const event of client.telemetry({ signal: end.signal })) {
      seen.push(event)
      const peer = event.event === 'peer_info' && event.value.url === watched.url ? event.value : undefined
      if (peer?.rttMs !== undefined) end.abort()
    }
    await client.close()
    expect(seen[0]).toMatchObject({ event: 'first' })
    const info = seen.findLast(({ event }) => event === 'peer_info')
    expect(info?.value).toMatchObject({ peer: 'ea0130', connected: true, height: 7, version: '0.1.0', queueSize: 3 })
  })

  it('includes the responses of gateways in the first list of peers', async () => {
    const watched = await nodeWith([])
    const { gateway } = await nodeWith([watched.url, 'http://127.0.0.1:1'])
    const items = JSON.parse((await gateway.inject({ url: '/v1/telemetry/peers-info' })).body).items
    const rows = items.filter(({ source }: { source: string }) => source === 'Gateway')
    expect(rows).toMatchObject([{ url: watched.url, connected: true, height: 7 }, { connected: false }])
    expect(rows[0].rtt_ms).toBeGreaterThanOrEqual(0)
  })
})

describe('the configured list of gateways', () => {
  const { kind } = telemetryConfig.keys[0] ?? {}
  it.each([
    ['ftp://node', 'expected a gateway'],
    ['node:8080', 'expected a gateway'],
    ['https://me:secret@node', 'without user name'],
    ['https://node/?token=1', 'without query'],
    [`https://node/${'x'.repeat(2_048)}`, 'longer than'],
  ])('does not accept %s', (text, why) => {
    expect((kind as { fault(text: string): string | undefined }).fault(text)).toContain(why)
  })
  it('accepts up to 64 gateways', () => {
    const of = (count: number) => ({ get: () => Array.from({ length: count }, (_, at) => `http://node${at}`) }) as never
    expect(telemetryConfig.check?.(of(64))).toEqual([])
    expect(telemetryConfig.check?.(of(65))).toHaveLength(1)
  })
})
