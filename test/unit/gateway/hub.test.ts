/** The hub of events beside a node that has other work: how it hands one block to many readers. */
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { EventFilter, EventSubscription } from '../../../src/api/index.js'
import { Feed } from '../../../src/events/feed.js'
import { READ_BLOCKS } from '../../../src/events/limits.js'
import { WALKS_AT_ONCE } from '../../../src/events/walks.js'
import { EventHub } from '../../../src/gateway/streams/hub.js'
import { RING_EVENTS, SLICE_READERS, WRITE_BYTES } from '../../../src/gateway/streams/limits.js'
import type { StreamSink } from '../../../src/gateway/streams/stream-sink.js'
import { blockAt, moved } from './fake-chain.js'
import { CODEC, FakeNode } from './support.js'

/** A filter that asks for nothing yet. */
const NO_FIELDS: EventFilter = {
  category: undefined,
  subject: undefined,
  kind: undefined,
  status: undefined,
  lane: undefined,
  dataspace: undefined,
  transaction: undefined,
  block: undefined,
  account: undefined,
  asset: undefined,
  domain: undefined,
}
const UNFILTERED: EventSubscription = { filters: [], after: undefined, fromHeight: undefined }

/** Turns of the loop within which everything comes. */
const TURNS_MAX = 10_000

/** A reader that notes the turn of the loop in which each write came. */
class NotedOutlet {
  readonly format = 'sse'
  ready = true
  closed = false
  /** True if it is full after a write. */
  takesOne = false
  private readonly waiting: (() => void)[] = []
  readonly writes: { readonly turn: number; readonly text: string }[] = []

  constructor(private readonly now: () => number) {}

  drained(): Promise<void> {
    return this.ready ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve))
  }

  /** Its connection takes bytes again. */
  free(): void {
    this.ready = true
    for (const resolve of this.waiting.splice(0)) resolve()
  }

  write(bytes: Buffer): void {
    this.writes.push({ turn: this.now(), text: bytes.toString() })
    if (this.takesOne) this.ready = false
  }

  /** Heights of the blocks that it got. */
  get heights(): string[] {
    return this.writes.flatMap(({ text }) => /"height":(?:")?(\d+)/.exec(text)?.[1] ?? [])
  }
}

/** A hub on a node, and the turns of the loop as they pass. */
function hubOf(node: FakeNode) {
  const { history } = node.services
  let now = 0
  const hub = new EventHub({
    feed: new Feed(history, CODEC),
    codec: CODEC,
    tip: () => node.services.height(),
    onPending: history.onPending.bind(history),
    onError: (error) => {
      throw error
    },
  })
  const join = (subscription = UNFILTERED) => {
    const outlet = new NotedOutlet(() => now)
    return { outlet, reader: hub.add(outlet as unknown as StreamSink, subscription) }
  }
  /** Lets the loop turn until a condition holds. */
  const until = async (condition: () => boolean): Promise<void> => {
    for (const end = now + TURNS_MAX; !condition(); now++) {
      if (now === end) throw new Error('waited in vain')
      await turn()
    }
  }
  return { hub, join, until }
}

afterEach(() => void vi.restoreAllMocks())

describe('a block for many readers', () => {
  test('is sent in slices, so that the node is not blocked, and to each reader once', async () => {
    const node = new FakeNode()
    const { hub, join, until } = hubOf(node)
    const outlets = Array.from({ length: 3 * SLICE_READERS + 1 }, () => join().outlet)
    node.commit(await blockAt(8))
    hub.committed()
    await until(() => outlets.every(({ writes }) => writes.length === 2))
    const perTurn = new Map<number, number>()
    for (const { writes } of outlets) perTurn.set(writes[1]!.turn, (perTurn.get(writes[1]!.turn) ?? 0) + 1)
    expect([...perTurn.values()]).toEqual([SLICE_READERS, SLICE_READERS, SLICE_READERS, 1])
    for (const { heights } of outlets) expect(heights).toEqual(['8'])
  })

  test('skips readers that leave between two slices, and readers that join get the next block first', async () => {
    const node = new FakeNode()
    const { hub, join, until } = hubOf(node)
    const joined = Array.from({ length: 2 * SLICE_READERS }, () => join())
    node.commit(await blockAt(8))
    hub.committed()
    await until(() => joined[0]!.outlet.writes.length === 2)
    const last = joined.at(-1)!
    expect(last.outlet.writes).toHaveLength(1)
    last.outlet.closed = true
    hub.remove(last.reader)
    const late = join()
    await until(() => joined.at(-2)!.outlet.writes.length === 2)
    node.commit(await blockAt(9))
    hub.committed()
    await until(() => late.outlet.writes.length === 2)
    expect(late.outlet.heights).toEqual(['9'])
    expect(last.outlet.heights).toEqual([])
    await until(() => joined[0]!.outlet.writes.length === 3)
    expect(joined[0]!.outlet.heights).toEqual(['8', '9'])
  })

  test('is matched in slices if matching is slow, and readers that join get the next block first', async () => {
    const node = new FakeNode()
    const { hub, join, until } = hubOf(node)
    const subscription = { ...UNFILTERED, filters: [{ ...NO_FIELDS, category: 'data' as const }] }
    const early = join(subscription).outlet
    let ms = 0
    // Each look at the clock is a slice later.
    vi.spyOn(performance, 'now').mockImplementation(() => (ms += 100))
    const entries = [[moved(1n)], [moved(2n)], [moved(3n)], [moved(4n)]]
    node.commit(await blockAt(8, entries))
    hub.committed()
    let turns = 0
    await until(() => ++turns > 3)
    expect(early.writes).toHaveLength(1)
    const late = join(subscription).outlet
    await until(() => early.writes.length === 2)
    expect(early.writes[1]?.text.match(/Transferred/g)).toHaveLength(4)
    expect(late.writes).toHaveLength(1)
    node.commit(await blockAt(9, [[moved(5n)]]))
    hub.committed()
    await until(() => early.writes.length === 3)
    expect(late.writes.slice(1).map(({ text }) => /^id: (\d+)/.exec(text)?.[1])).toEqual(['9'])
  })
})

describe('readers that start at a past height', () => {
  test('read old blocks a few at a time, and a stalled connection does not delay others', async () => {
    const node = new FakeNode()
    const first = node.services.height() + 1
    const readers = 6
    for (let at = 0; at < readers * READ_BLOCKS; at += 1) node.commit(await blockAt(first + at))
    const read = vi.spyOn(node.services.history, 'read')
    const { join, until } = hubOf(node)
    const outlets = Array.from({ length: readers }, (_, at) => {
      const { outlet } = join({ ...UNFILTERED, fromHeight: first + at * READ_BLOCKS })
      // All but the last stall at once.
      if (at < readers - 1) outlet.ready = false
      return outlet
    })
    await until(() => outlets.at(-1)?.heights.length === READ_BLOCKS)
    const before = read.mock.calls.length
    for (const outlet of outlets) outlet.free()
    let turns = 0
    await until(() => ++turns > 3)
    expect(read.mock.calls.length).toBeLessThanOrEqual(before + WALKS_AT_ONCE)
    await until(() => outlets[0]?.heights.length === readers * READ_BLOCKS)
  })
})

describe('a reader with a stalled connection in the middle of a long block', () => {
  test('keeps the shared events of the block in its buffer, without loss', async () => {
    const node = new FakeNode()
    const { hub, join, until } = hubOf(node)
    const { outlet } = join({ ...UNFILTERED, filters: [{ ...NO_FIELDS, category: 'data' }] })
    const events = Array.from({ length: RING_EVENTS + 100 }, (_, at) => moved(BigInt(at)))
    node.commit(await blockAt(8, [events]))
    outlet.takesOne = true
    hub.committed()
    await until(() => outlet.writes.length === 2)
    let turns = 0
    await until(() => ++turns > 3)
    expect(outlet.writes).toHaveLength(2)
    expect(outlet.writes[1]?.text.length).toBeLessThan(2 * WRITE_BYTES)
    outlet.takesOne = false
    outlet.free()
    const sent = (): number =>
      outlet.writes.reduce((all, { text }) => all + (text.match(/^event: data/gm)?.length ?? 0), 0)
    turns = 0
    await until(() => ++turns > 50)
    expect(sent()).toBe(events.length)
    expect(outlet.writes.some(({ text }) => text.includes('lagged'))).toBe(false)
  })
})
