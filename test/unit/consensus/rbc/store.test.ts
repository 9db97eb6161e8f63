/** The bounds of sessions: number, age, bytes with two levels of pressure, and what is never dropped. */
import { describe, expect, it } from 'vitest'
import {
  apportion,
  chunkDigest,
  type DropReason,
  dataspaceBacklog,
  digestsOf,
  laneBacklog,
  newSession,
  type PayloadBreakdown,
  pressureOf,
  storedBytes,
  takeChunk,
} from '../../../../src/consensus/index.js'
import {
  CHUNK_MAX_BYTES,
  CHUNKS_MAX,
  DEFER_MS,
  DIGEST_HELD_BYTES,
  STASH_BYTES_PER_PEER_MAX,
} from '../../../../src/consensus/payload-limits.js'
import { BODY_MAX_BYTES } from '../../../../src/model/index.js'
import { Bench, type Block, chunksOf, SMALL } from './bench.js'

/** The proposer of a view announces a payload of it. */
const open = (bench: Bench, block: Block, view = 0): void =>
  bench.receive(bench.order[view] ?? '', bench.init(block, { view }))
const fill = (bench: Bench, block: Block, view = 0): void => {
  open(bench, block, view)
  for (let index = 0; index < chunksOf(block); index++) {
    bench.receive(bench.order[view] ?? '', bench.chunk(block, index, { view }))
  }
}
const refusals = (bench: Bench, because: DropReason = 'fault'): string[] =>
  bench
    .take('report')
    .flatMap(({ report }) => (report.kind === 'dropped' && report.reason === because ? [report.why] : []))
const held = (bench: Bench): string[] => [...bench.state.rbc.sessions.values()].map((session) => session.blockHash)

describe('the store of broadcast payloads', () => {
  it('keeps a bounded number of sessions; the oldest is evicted', () => {
    const bench = new Bench({ limits: { ...SMALL, sessions: 2 } })
    const blocks = [1, 2, 3].map((nonce) => bench.block(nonce))
    for (const [view, block] of blocks.entries()) open(bench, block, view)
    expect(held(bench)).toEqual(blocks.slice(1).map((block) => block.hash.toString('latin1')))
    expect(bench.state.rbc.counters.evicted).toBe(1)
  })

  it('keeps one session per view, even if its proposer announces more payloads', () => {
    const bench = new Bench()
    const [first, second] = [bench.block(1), bench.block(2)]
    open(bench, first)
    open(bench, second)
    expect(held(bench)).toEqual([first.hash.toString('latin1')])
    expect(refusals(bench, 'full')).toEqual(['a second payload of its view'])
    // The payload that it signed for counts instead: it may have announced another one before it was restarted.
    bench.receive(bench.proposer, bench.proposal(second, { digests: digestsOf(second.body, SMALL) }))
    expect(held(bench)).toEqual([second.hash.toString('latin1')])
  })

  it('never evicts the payload of the current proposal', () => {
    const bench = new Bench({ limits: { ...SMALL, sessions: 2 } })
    const [current, ...later] = [bench.block(1), bench.block(2), bench.block(3)] as [Block, Block, Block]
    bench.receive(bench.proposer, bench.proposal(current, { digests: digestsOf(current.body, SMALL) }))
    for (const [at, block] of later.entries()) open(bench, block, at + 1)
    expect(held(bench)).toEqual([current, later[1]].map((block) => block?.hash.toString('latin1')))
  })

  it('refuses a payload larger than a body, and chunks longer than a message', () => {
    const bench = new Bench()
    const block = bench.block()
    const digests = [Buffer.alloc(32)]
    bench.receive(bench.proposer, bench.init(block, { payloadBytes: BODY_MAX_BYTES + 1, digests }))
    bench.receive(bench.proposer, bench.init(block, { payloadBytes: CHUNK_MAX_BYTES + 1, digests }))
    expect(held(bench)).toEqual([])
    expect(refusals(bench)).toEqual([
      `a payload of ${BODY_MAX_BYTES + 1} bytes, at most ${BODY_MAX_BYTES} are allowed`,
      `chunks of ${CHUNK_MAX_BYTES + 1} bytes, at most ${CHUNK_MAX_BYTES} are allowed`,
    ])
  })

  it('stores at most the announced length of a payload, whatever chunk lengths its digests imply', () => {
    const bench = new Bench()
    const block = bench.block()
    const long = Array.from({ length: chunksOf(block) }, (_, index) => Buffer.alloc(1_024, index))
    bench.receive(bench.proposer, bench.proposal(block, { digests: long.map(chunkDigest) }))
    // The last one would show that they are not the payload.
    for (const [index, bytes] of long.slice(1).entries())
      bench.receive(bench.proposer, bench.chunk(block, index + 1, { bytes }))
    expect(held(bench)).toEqual([block.hash.toString('latin1')])
    expect(storedBytes(bench.state.rbc)).toBeLessThanOrEqual(block.body.length)
    expect(bench.state.rbc.counters.chunkMismatches).toBe(long.length - 1)
  })

  it('limits the bytes stored for one peer without a session, which never defer a proposal', () => {
    const bench = new Bench({
      place: 0,
      limits: { ...SMALL, storeSoftBytes: 4, storeHardBytes: 64, stashMessages: 4_096 },
    })
    const from = bench.others[0] ?? ''
    const chunk = { height: 2, view: 1, payloadHash: Buffer.alloc(32), bytes: Buffer.alloc(CHUNK_MAX_BYTES) }
    for (let index = 0; index < 20; index++) bench.receive(from, { kind: 'rbcChunk', value: { ...chunk, index } })
    expect(bench.state.rbc.stashBytes).toBe(STASH_BYTES_PER_PEER_MAX)
    expect(pressureOf(bench.state.rbc)).toBe(0)
  })

  it('limits the bytes of announcements by one peer for the next height, including digests', () => {
    const bench = new Bench()
    const digests = Array.from({ length: CHUNKS_MAX }, () => Buffer.alloc(32))
    for (let view = 0; view < 100; view++)
      bench.receive(bench.others[0] ?? '', bench.init(bench.block(), { height: 3, view, digests }))
    expect(bench.state.rbc.stash.length).toBe(Math.floor(STASH_BYTES_PER_PEER_MAX / (CHUNKS_MAX * DIGEST_HELD_BYTES)))
    expect(bench.state.rbc.stash.at(-1)?.message.value.view).toBe(99)
  })

  it('never drops a proposal of its own node, and rejects a new one instead', () => {
    const bench = new Bench({ place: 0, limits: { ...SMALL, sessions: 2, storeSoftBytes: 1, storeHardBytes: 2 } })
    const block = bench.block()
    bench.input({ type: 'work', pending: true, full: true })
    bench.built(block)
    expect(held(bench)).toEqual([block.hash.toString('latin1')])
    expect(pressureOf(bench.state.rbc)).toBe(2)
    bench.nowMs += 10 * SMALL.ttlMs
    bench.input({ type: 'gossip', peer: bench.others[0] ?? '' })
    expect(held(bench).length).toBe(1)
  })

  it('expires sessions at a maximum age', () => {
    const bench = new Bench()
    open(bench, bench.block())
    bench.nowMs += SMALL.ttlMs - 1
    bench.input({ type: 'gossip', peer: bench.proposer })
    expect(held(bench).length).toBe(1)
    bench.nowMs += 1
    bench.input({ type: 'gossip', peer: bench.proposer })
    expect(held(bench).length).toBe(0)
    expect(bench.state.rbc.counters.expired).toBe(1)
  })

  it('evicts the oldest session at the hard limit, never a certified one', () => {
    const first = new Bench().block(1)
    const bytes = first.body.length
    const bench = new Bench({ limits: { ...SMALL, storeSoftBytes: bytes, storeHardBytes: 2 * bytes } })
    const [certified, second, third] = [1, 2, 3].map((nonce) => bench.block(nonce)) as [Block, Block, Block]
    fill(bench, certified)
    expect(pressureOf(bench.state.rbc)).toBe(1)
    bench.receive(bench.others[0] ?? '', { kind: 'certificate', value: bench.certified(certified, 'prepare') })
    // An equivocating proposer: its second block is known, and nothing rests on it.
    bench.receive(bench.proposer, bench.proposal(certified))
    bench.receive(bench.proposer, bench.proposal(second))
    expect(bench.state.candidates.size).toBe(2)
    fill(bench, second, 1)
    // Both together reach the limit: the one without certificate goes.
    expect(held(bench)).toEqual([certified.hash.toString('latin1')])
    fill(bench, third, 2)
    expect(held(bench)).toEqual([certified.hash.toString('latin1')])
    expect(bench.state.rbc.counters.evicted).toBe(2)
    expect(storedBytes(bench.state.rbc)).toBe(bytes)
    // Its payload went with it.
    expect([...bench.state.candidates.keys()]).toEqual([certified.hash.toString('latin1')])
  })

  it('evicts early messages before any session, at the hard limit', () => {
    const first = new Bench().block(1)
    const bytes = first.body.length
    const bench = new Bench({ limits: { ...SMALL, storeSoftBytes: bytes, storeHardBytes: bytes } })
    const from = bench.others[0] ?? ''
    const chunk = { height: 2, view: 1, payloadHash: Buffer.alloc(32), index: 0, bytes: Buffer.alloc(8) }
    bench.receive(from, { kind: 'rbcChunk', value: chunk })
    expect(bench.state.rbc.stashBytes).toBe(8)
    const block = bench.block(1)
    bench.receive(bench.proposer, bench.proposal(block))
    fill(bench, block)
    expect(pressureOf(bench.state.rbc)).toBe(2)
    expect([held(bench), bench.state.rbc.stashBytes]).toEqual([[block.hash.toString('latin1')], 0])
  })

  it('defers a proposal under soft pressure, counts the deferral once, and finally proposes', () => {
    const bench = new Bench({ place: 0, limits: { ...SMALL, storeSoftBytes: 4, storeHardBytes: 1_000 } })
    const other = bench.block(7)
    // A chunk of a session of the next view's proposer is what fills the store.
    const from = bench.order[1] ?? ''
    const init = bench.init(other, { view: 1 })
    bench.receive(from, init)
    const chunk = bench.chunk(other, 0)
    if (chunk.kind !== 'rbcChunk') throw new Error('unreachable')
    bench.receive(from, { kind: 'rbcChunk', value: { ...chunk.value, view: 1 } })
    expect(pressureOf(bench.state.rbc)).toBe(1)
    bench.input({ type: 'work', pending: true, full: true })
    expect(bench.take('build')).toEqual([])
    expect(bench.take('arm').some((one) => one.name === 'defer')).toBe(true)
    for (let tries = 0; tries < 3; tries++) bench.fire('defer', DEFER_MS)
    expect(bench.take('build')).toEqual([])
    expect(bench.state.rbc.counters.deferrals).toBe(1)
    // A quarter of the view's timeout of 400 ms is over: it must never stop the chain.
    bench.fire('defer', DEFER_MS)
    expect(bench.take('build').length).toBe(1)
    expect(bench.state.rbc.counters.deferrals).toBe(1)
  })
})

it('the commit of a height closes its sessions, since their payloads are no longer needed', () => {
  const bench = new Bench()
  const block = bench.block()
  fill(bench, block)
  open(bench, bench.block(2, 1), 1)
  const commit = bench.certified(block, 'commit')
  bench.receive(bench.others[0] ?? '', { kind: 'certificate', value: commit })
  bench.approve(block)
  bench.input({ type: 'committed', next: { ...bench.state.context, height: 3 }, self: bench.self })
  expect([...bench.state.rbc.sessions.values()].map((one) => [one.hasEnded, one.body])).toEqual([
    [true, undefined],
    [true, undefined],
  ])
})

describe('the backlog of lanes and dataspaces', () => {
  const share = (lane: number, dataspace: bigint, payloadBytes: number): PayloadBreakdown => ({
    lane,
    dataspace,
    transactions: payloadBytes / 10,
    payloadBytes,
    teu: payloadBytes,
  })

  it('distributes all chunks by payload bytes', () => {
    expect(apportion(10, [50, 30, 20])).toEqual([5, 3, 2])
    expect(apportion(1, [1, 1, 1])).toEqual([1, 0, 0])
    expect(apportion(7, [0, 0])).toEqual([7, 0])
    for (let chunks = 0; chunks < 20; chunks++) {
      expect(apportion(chunks, [3, 5, 11]).reduce((sum, one) => sum + one, 0)).toBe(chunks)
    }
  })

  it('counts missing chunks, and no chunks of a complete payload', () => {
    const bench = new Bench()
    const block = bench.block()
    const init = bench.init(block, { shares: [share(2, 1n, 200), share(0, 1n, 100)] })
    if (init.kind !== 'rbcInit') throw new Error('unreachable')
    const by = { proposer: bench.proposer, committee: bench.state.context.committee }
    const session = newSession(init.value, by, 0)
    const chunks = chunksOf(block)
    expect(laneBacklog([session]).map((lane) => [lane.key, lane.transactions])).toEqual([
      [0, 10],
      [2, 20],
    ])
    expect(dataspaceBacklog([session])).toEqual([
      { key: 1n, transactions: 30, totalChunks: chunks, pendingChunks: chunks, payloadBytes: 300, teu: 300 },
    ])
    const others = newSession({ ...init.value, shares: [share(1, 2n, 10), share(1, 0n, 10)] }, by, 0)
    expect(dataspaceBacklog([session, others]).map(({ key }) => key)).toEqual([0n, 1n, 2n])
    expect(laneBacklog([session, others]).map(({ key }) => key)).toEqual([0, 1, 2])
    for (let index = 0; index < chunks; index++) {
      takeChunk(session, index, block.body.subarray(4 * index, 4 * index + 4), 1)
      expect(dataspaceBacklog([session])[0]?.pendingChunks).toBe(chunks - index - 1)
    }
  })
})
