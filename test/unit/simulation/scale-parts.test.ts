/** The parts of the performance model: servers with queues, links, writes that are shared, quantiles, the table of costs. */
import { describe, expect, it } from 'vitest'
import { PART_MAX_BYTES as LINK_PART_BYTES, SHARED_WRITE_MS as LINK_WAIT_MS } from '../../../src/network/limits.js'
import { CHANNELS as LINK_CHANNELS, FRAME_HEAD_BYTES as LINK_HEAD_BYTES } from '../../../src/network/wire.js'
import { VirtualClock } from '../../../src/simulation/clock.js'
import { randomOf } from '../../../src/simulation/prng.js'
import { COST_ROWS, costsFromJson, costsOf, DEFAULT_COSTS } from '../../../src/simulation/scale/costs.js'
import {
  CHANNELS,
  FRAME_HEAD_BYTES,
  Network,
  PART_MAX_BYTES,
  type Packet,
  wireBytes,
} from '../../../src/simulation/scale/network.js'
import { Outbox, SHARED_WRITE_MS } from '../../../src/simulation/scale/outbox.js'
import { REGIONS, roundTripMs, roundTripsMs } from '../../../src/simulation/scale/regions.js'
import { Server } from '../../../src/simulation/scale/server.js'
import { mean, quantile } from '../../../src/simulation/scale/tally.js'

const runOut = (clock: VirtualClock): void => {
  while (clock.advance());
}

describe('a simulated server', () => {
  it('runs one job after another, and reports its busy time', () => {
    const clock = new VirtualClock()
    const server = new Server(clock)
    const ends: [string, number][] = []
    server.work(10, () => ends.push(['first', clock.nowMs]))
    server.work(5, () => ends.push(['second', clock.nowMs]))
    clock.after(30, () => server.work(1, () => ends.push(['late', clock.nowMs])))
    runOut(clock)
    expect(ends).toEqual([
      ['first', 10],
      ['second', 15],
      ['late', 31],
    ])
    expect(server.busyMs).toBe(16)
  })

  it('runs the most urgent job next, without interrupting the current job', () => {
    const clock = new VirtualClock()
    const server = new Server(clock, 2)
    const ends: [string, number][] = []
    const work = (name: string, priority: number): void =>
      server.work(10, () => ends.push([name, clock.nowMs]), priority)
    work('begun', 1)
    work('waiting', 1)
    work('urgent', 0)
    runOut(clock)
    expect(ends).toEqual([
      ['begun', 10],
      ['urgent', 20],
      ['waiting', 30],
    ])
  })

  it('runs jobs without an end callback in the same order', () => {
    const clock = new VirtualClock()
    const server = new Server(clock)
    const begun: number[] = []
    for (let job = 0; job < 3; job++) {
      server.submit({
        begin: () => {
          begun.push(clock.nowMs)
          return 4
        },
      })
    }
    runOut(clock)
    clock.after(100, () => server.work(1, () => begun.push(clock.nowMs)))
    runOut(clock)
    expect(begun).toEqual([0, 4, 8, 109])
  })
})

describe('a simulated link', () => {
  const BANDWIDTH = { uplinkMbit: 8, downlinkMbit: 8, linkMbit: 8 }
  const LATENCY_MS = 50

  function network(bandwidth = BANDWIDTH) {
    const clock = new VirtualClock()
    const arrivals: [string, number][] = []
    const links = new Network<string>({
      nodes: 3,
      clock,
      bandwidth,
      random: randomOf(1, 'test'),
      oneWayMs: () => LATENCY_MS,
      deliver: (_from, _to, { content }) => arrivals.push([content, clock.nowMs]),
    })
    const send = (to: number, channel: Packet<string>['channel'], bytes: number, content: string): void =>
      links.send(0, to, { channel, bytes, content })
    return { clock, arrivals, links, send }
  }
  /** 8 Mbit/s are a byte per µs. */
  const lineMs = (bytes: number): number => wireBytes(bytes) / 1_000

  it('delays a message by its transfer time and then by the latency of the distance', () => {
    const { clock, arrivals, send } = network()
    send(1, 'consensus', 10_000, 'one')
    runOut(clock)
    expect(arrivals).toEqual([['one', expect.closeTo(LATENCY_MS + lineMs(10_000), 6)]])
  })

  it('sends messages to several peers one after another over one uplink', () => {
    const { clock, arrivals, send } = network()
    send(1, 'consensus', 10_000, 'first')
    send(2, 'consensus', 10_000, 'second')
    runOut(clock)
    const [[, first] = ['', 0], [, second] = ['', 0]] = arrivals
    expect(second - first).toBeCloseTo(lineMs(10_000), 6)
  })

  it('lets a vote overtake the queued parts of a payload, but not the part in transfer', () => {
    const { clock, arrivals, send } = network()
    send(1, 'payload', 3 * PART_MAX_BYTES, 'payload')
    send(1, 'consensus', 200, 'vote')
    runOut(clock)
    expect(arrivals.map(([name]) => name)).toEqual(['vote', 'payload'])
    expect(arrivals[0]?.[1]).toBeCloseTo(LATENCY_MS + lineMs(PART_MAX_BYTES) + lineMs(200), 6)
  })

  it('has its own bandwidth limit, and leaves the remaining uplink to other links', () => {
    const { clock, arrivals, send } = network({ ...BANDWIDTH, uplinkMbit: 800, downlinkMbit: 800 })
    send(1, 'consensus', 10_000, 'first')
    send(1, 'consensus', 10_000, 'behind it')
    send(2, 'consensus', 10_000, 'on another link')
    runOut(clock)
    const at = new Map(arrivals)
    expect(at.get('behind it')).toBeCloseTo(LATENCY_MS + 2 * lineMs(10_000), 6)
    expect(at.get('on another link')).toBeLessThan(LATENCY_MS + 1.1 * lineMs(10_000))
  })

  it('queues messages from several peers at the downlink', () => {
    const { clock, arrivals, links } = network()
    links.send(0, 2, { channel: 'consensus', bytes: 10_000, content: 'first' })
    links.send(1, 2, { channel: 'consensus', bytes: 10_000, content: 'second' })
    runOut(clock)
    expect((arrivals[1]?.[1] ?? 0) - (arrivals[0]?.[1] ?? 0)).toBeCloseTo(lineMs(10_000), 6)
  })

  it('counts a message once, and its bytes as sent on the wire', () => {
    const { clock, links, send } = network()
    send(1, 'payload', PART_MAX_BYTES + 1, 'two parts')
    runOut(clock)
    expect(links.sentBy(0).payload).toEqual({ messages: 1, bytes: wireBytes(PART_MAX_BYTES) + wireBytes(1) })
    expect(links.sentBy(0).consensus).toEqual({ messages: 0, bytes: 0 })
  })

  it('has the same frames, channels and delays as the real links of a node', () => {
    expect([...CHANNELS]).toEqual([...LINK_CHANNELS])
    expect(PART_MAX_BYTES).toBe(LINK_PART_BYTES)
    expect(FRAME_HEAD_BYTES).toBe(LINK_HEAD_BYTES)
    expect(SHARED_WRITE_MS).toBe(LINK_WAIT_MS)
  })
})

describe('a simulated outbox', () => {
  function outbox() {
    const clock = new VirtualClock()
    const main = new Server(clock)
    const sent: [number, string, number][] = []
    const box = new Outbox<string>({
      nodes: 3,
      clock,
      main,
      costs: { ...DEFAULT_COSTS, writeNs: 1_000_000, writeKibNs: 0 },
      send: (to, { content }) => sent.push([to, content, clock.nowMs]),
    })
    const packet = (content: string): Packet<string> => ({ channel: 'consensus', bytes: 100, content })
    return { clock, main, sent, box, packet }
  }

  it('writes all pending messages of a peer at once', () => {
    const { clock, main, sent, box, packet } = outbox()
    main.work(5, () => {})
    box.push(1, packet('a'))
    box.push(2, packet('b'))
    box.push(1, packet('c'))
    runOut(clock)
    expect(sent).toEqual([
      [1, 'a', 6],
      [1, 'c', 6],
      [2, 'b', 7],
    ])
  })

  it('delays a non-urgent message until the next message, or for a short time', () => {
    const { clock, sent, box, packet } = outbox()
    box.push(1, packet('patient'), false)
    box.push(2, packet('patient'), false)
    clock.after(3, () => box.push(1, packet('urgent')))
    runOut(clock)
    expect(sent).toEqual([
      [1, 'patient', 4],
      [1, 'urgent', 4],
      [2, 'patient', SHARED_WRITE_MS + 1],
    ])
  })
})

describe('quantiles and means', () => {
  it('are computed by nearest rank and are zero without values', () => {
    const values = [5, 1, 4, 2, 3]
    expect([0, 0.2, 0.5, 0.99, 1].map((share) => quantile(values, share))).toEqual([1, 1, 3, 5, 5])
    expect(quantile([], 0.5)).toBe(0)
    expect(mean([1, 2, 6])).toBe(3)
    expect(mean([])).toBe(0)
  })
})

describe('the simulated regions', () => {
  it('have symmetric round trips within the variation of monthly averages', () => {
    for (let from = 0; from < REGIONS.length; from++) {
      for (let to = 0; to < from; to++) {
        const [there, back] = [roundTripMs('wan', from, to), roundTripMs('wan', to, from)]
        expect(Math.abs(there - back)).toBeLessThanOrEqual(Math.max(1, 0.06 * there))
      }
    }
  })

  it('span the world even with few validators', () => {
    for (const validators of [4, 7, 12, 100]) {
      const median = quantile(roundTripsMs('wan', validators), 0.5)
      expect(median, `${validators} validators`).toBeGreaterThanOrEqual(120)
      expect(median, `${validators} validators`).toBeLessThanOrEqual(160)
    }
  })
})

describe('a simulation cost file', () => {
  it('can be the output of an earlier run', () => {
    const printed: unknown = JSON.parse(JSON.stringify(costsOf(({ fallback }) => fallback + 1)))
    expect(costsFromJson(printed, 'costs.json').stepNs).toBe(DEFAULT_COSTS.stepNs + 1)
    expect(COST_ROWS.map(({ name }) => name)).toEqual(Object.keys(DEFAULT_COSTS))
  })

  it.each([
    ['a value that is not an object', [], 'costs.json: expected an object of costs'],
    ['an unknown name', { ...DEFAULT_COSTS, speed: 1 }, 'costs.json: unknown cost "speed"'],
    ['a missing cost', { stepNs: 1 }, 'costs.json: "blsSignNs" must be a whole number of ns from 0 to 1000000000'],
    [
      'a negative cost',
      { ...DEFAULT_COSTS, syncNs: -1 },
      'costs.json: "syncNs" must be a whole number of ns from 0 to 1000000000',
    ],
  ])('is rejected for %s', (_, value, message) => {
    expect(() => costsFromJson(value, 'costs.json')).toThrow(
      expect.objectContaining({ code: 'usage', message, hint: expect.stringContaining('causeway sim scale --json') }),
    )
  })
})
