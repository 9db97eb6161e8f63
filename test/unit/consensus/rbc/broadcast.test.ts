/** Reliable broadcast as one member sees it: INIT, chunks, READY, DELIVER, and what is done about lies and losses. */
import { describe, expect, it } from 'vitest'
import { chunkDigest } from '../../../../src/consensus/index.js'
import { CHUNK_PULL_AFTER_MS } from '../../../../src/consensus/payload-limits.js'
import { Bench, chunksOf, SMALL } from './bench.js'

/** A block of three chunks that are all different. */
function announced(bench: Bench) {
  const block = bench.block()
  bench.receive(bench.proposer, bench.init(block))
  bench.receive(bench.proposer, bench.proposal(block))
  return block
}

describe('a broadcast payload', () => {
  it('is rebuilt from its chunks in any order, executed, and announced as ready', () => {
    const bench = new Bench()
    const block = announced(bench)
    expect(chunksOf(block)).toBeGreaterThan(2)
    for (let index = chunksOf(block) - 1; index > 0; index--) bench.receive(bench.proposer, bench.chunk(block, index))
    expect(bench.executed(block)).toBeUndefined()
    expect(bench.sent('rbcReady')).toEqual([])
    bench.receive(bench.proposer, bench.chunk(block, 0))
    expect(bench.executed(block)).toEqual(block.body)
    expect(bench.sent('rbcReady').length).toBe(1)
    // Nothing was asked for.
    expect(bench.sent('payloadRequest')).toEqual([])
  })

  it('waits for its proposal, whichever of the two arrives first', () => {
    const bench = new Bench()
    const block = bench.block()
    bench.receive(bench.proposer, bench.init(block))
    for (let index = 0; index < chunksOf(block); index++) bench.receive(bench.proposer, bench.chunk(block, index))
    expect(bench.executed(block)).toBeUndefined()
    bench.receive(bench.proposer, bench.proposal(block))
    expect(bench.executed(block)).toEqual(block.body)
  })

  it('is opened by the digests of the proposal if INIT was lost', () => {
    const bench = new Bench()
    const block = bench.block()
    const init = bench.init(block)
    if (init.kind !== 'rbcInit') throw new Error('unreachable')
    bench.receive(bench.proposer, bench.proposal(block, { digests: init.value.digests }))
    for (let index = 0; index < chunksOf(block); index++) bench.receive(bench.proposer, bench.chunk(block, index))
    expect(bench.executed(block)).toEqual(block.body)
  })

  it('uses chunks that arrived before INIT', () => {
    const bench = new Bench()
    const block = bench.block()
    bench.receive(bench.proposer, bench.chunk(block, 0))
    bench.receive(bench.others[0] ?? '', bench.signal('rbcReady', block))
    expect(bench.state.rbc.stash.length).toBe(2)
    bench.receive(bench.proposer, bench.init(block))
    expect(bench.state.rbc.stash.length).toBe(0)
    expect(bench.session?.receivedChunks).toBe(1)
    expect(bench.session?.ready.size).toBe(1)
  })

  it('is refused from an unknown peer, from another member, or for an old or distant view', () => {
    const bench = new Bench()
    const block = bench.block()
    bench.receive('stranger', bench.init(block))
    bench.receive(bench.others[0] ?? '', bench.init(block))
    bench.receive(bench.order[9 % 4] ?? '', bench.init(block, { view: 9 }))
    bench.receive(bench.proposer, bench.init(block, { height: 9 }))
    bench.receive(bench.proposer, bench.init(block, { digests: [] }))
    bench.receive(bench.proposer, bench.init(block, { payloadBytes: 1 }))
    bench.receive('stranger', bench.chunk(block, 0))
    expect(bench.state.rbc.sessions.size).toBe(0)
    expect(bench.state.rbc.stash.length).toBe(0)
  })

  it('keeps a bounded number of early messages per peer, and evicts the oldest', () => {
    const bench = new Bench({ limits: { ...SMALL, stashMessages: 2 } })
    const block = bench.block()
    for (let index = 0; index < 3; index++) bench.receive(bench.proposer, bench.chunk(block, index))
    expect(bench.state.rbc.stash.length).toBe(2)
    expect(bench.state.rbc.counters.stashDropped).toBe(1)
    bench.receive(bench.others[0] ?? '', bench.chunk(block, 0))
    expect(bench.state.rbc.stash.length).toBe(3)
  })
})

describe('a faulty payload', () => {
  it('loses only the chunk that does not match its digest, which is counted', () => {
    const bench = new Bench()
    const block = announced(bench)
    bench.receive(bench.others[0] ?? '', bench.chunk(block, 0, { bytes: Buffer.from('junk') }))
    expect(bench.state.rbc.counters.chunkMismatches).toBe(1)
    expect(bench.session?.isInvalid).toBe(false)
    for (let index = 0; index < chunksOf(block); index++) bench.receive(bench.proposer, bench.chunk(block, index))
    expect(bench.executed(block)).toEqual(block.body)
  })

  it('is detected when complete if its digests are wrong, and is requested as a whole', () => {
    const bench = new Bench()
    const block = bench.block()
    const junk = Array.from({ length: chunksOf(block) }, (_, index) =>
      Buffer.alloc(block.body.subarray(index * 4, (index + 1) * 4).length, index),
    )
    bench.receive(bench.proposer, bench.init(block, { digests: junk.map(chunkDigest) }))
    bench.receive(bench.proposer, bench.proposal(block))
    for (const [index, bytes] of junk.entries()) bench.receive(bench.proposer, bench.chunk(block, index, { bytes }))
    expect(bench.session?.isInvalid).toBe(true)
    expect(bench.state.rbc.counters.invalid).toBe(1)
    expect(bench.sent('rbcReady')).toEqual([])
    bench.fire('fetch', CHUNK_PULL_AFTER_MS)
    expect(bench.sent('payloadRequest').length).toBe(1)
  })
})

describe('READY and DELIVER', () => {
  it('READY is sent after f + 1 READYs even without the payload, and DELIVER requires the payload', () => {
    const bench = new Bench()
    const block = announced(bench)
    const [first = '', second = ''] = bench.others
    bench.receive(first, bench.signal('rbcReady', block))
    bench.receive(first, bench.signal('rbcReady', block))
    expect(bench.sent('rbcReady')).toEqual([])
    bench.receive(second, bench.signal('rbcReady', block))
    expect(bench.sent('rbcReady').length).toBe(1)
    bench.receive(bench.proposer, bench.signal('rbcReady', block))
    expect(bench.session?.ready.size).toBe(4)
    expect(bench.sent('rbcDeliver')).toEqual([])
    for (let index = 0; index < chunksOf(block); index++) bench.receive(bench.proposer, bench.chunk(block, index))
    expect(bench.sent('rbcDeliver').length).toBe(1)
    expect(bench.session?.isDelivered).toBe(true)
    expect(bench.state.rbc.counters.deliveredBytes).toBe(block.body.length)
  })

  it('do not gate execution: the block is executed and voted for without them', () => {
    const bench = new Bench()
    const block = announced(bench)
    for (let index = 0; index < chunksOf(block); index++) bench.receive(bench.proposer, bench.chunk(block, index))
    expect(bench.executed(block)).toEqual(block.body)
    const [staged] = bench.take('stage')
    expect(staged).toBeDefined()
    bench.approve(block)
    bench.staged(block)
    expect(bench.take('persist').flatMap((one) => one.records.map((record) => record.kind))).toEqual(['prepared'])
  })

  it('are exchanged for every payload with data availability, without chunks for a small one', () => {
    const bench = new Bench({ dataAvailability: true, place: 0, limits: { ...SMALL, directBytes: 1_000 } })
    const block = bench.block()
    bench.input({ type: 'work', pending: true, full: true })
    const [build] = bench.take('build')
    expect(build?.view).toBe(0)
    bench.built(block)
    expect(bench.sent('rbcInit').length).toBe(1)
    expect(bench.sent('rbcChunk')).toEqual([])
    expect(bench.sent('rbcReady').length).toBe(1)
  })
})

describe('chunks of a proposer', () => {
  const propose = (bench: Bench) => {
    const block = bench.block()
    bench.input({ type: 'work', pending: true, full: true })
    bench.take('build')
    bench.built(block)
    return block
  }

  it('are sent to all members before any part of the proposal is on disk', () => {
    const bench = new Bench({ place: 0 })
    const block = propose(bench)
    const chunks = bench.sent('rbcChunk')
    expect(chunks.length).toBe(chunksOf(block))
    expect(chunks.every((one) => one.to === undefined)).toBe(true)
    expect(bench.sent('proposal')).toEqual([])
    expect(bench.take('persist')).toEqual([])
    bench.staged(block)
    const [persist] = bench.take('persist')
    expect(persist?.records.map((record) => record.kind)).toEqual(['proposed', 'prepared'])
    bench.input({ type: 'persisted', job: persist?.job ?? 0 })
    const [proposal] = bench.sent('proposal')
    expect(proposal?.value.body).toBeUndefined()
    expect(proposal?.value.digests.length).toBe(chunksOf(block))
  })

  it('are sent in turn, to as many members as the fan-out', () => {
    const bench = new Bench({ place: 0, limits: { ...SMALL, fanout: 1 } })
    const block = propose(bench)
    const targets = bench.sent('rbcChunk').map((one) => one.to)
    expect(targets.length).toBe(chunksOf(block))
    expect(new Set(targets).size).toBe(3)
    expect(targets).not.toContain(undefined)
  })

  it('are forwarded only by the member whose turn it is', () => {
    const passedOn = [1, 2, 3].map((place) => {
      const bench = new Bench({ place, limits: { ...SMALL, fanout: 1 } })
      const block = announced(bench)
      bench.receive(bench.proposer, bench.chunk(block, 0))
      return bench.sent('rbcChunk').length
    })
    expect(passedOn).toEqual([2, 0, 0])
  })

  it('are sent again on request, up to the limit of a request', () => {
    const bench = new Bench({ place: 0, limits: { ...SMALL, chunksPerRequest: 2 } })
    const block = propose(bench)
    bench.sent('rbcChunk')
    const { payloadHash } = block.header
    bench.receive(bench.others[0] ?? '', {
      kind: 'rbcRequest',
      value: { height: 2, view: 0, payloadHash, missing: [2, 1, 0] },
    })
    expect(bench.sent('rbcChunk').map((one) => one.value.index)).toEqual([2, 1])
  })

  it('appear once in a response, however often they are requested, each with its length', () => {
    const bench = new Bench({ place: 0, limits: SMALL })
    const block = propose(bench)
    bench.sent('rbcChunk')
    bench.take('send')
    const { payloadHash } = block.header
    bench.receive(bench.others[0] ?? '', {
      kind: 'rbcRequest',
      value: { height: 2, view: 0, payloadHash, missing: [1, 1, 1, 0, 1] },
    })
    const answers = bench
      .take('send')
      .flatMap(({ message, replyBytes }) =>
        message.kind === 'rbcChunk'
          ? [{ index: message.value.index, isOf: message.value.bytes.length === replyBytes }]
          : [],
      )
    expect(answers).toEqual([
      { index: 1, isOf: true },
      { index: 0, isOf: true },
    ])
  })
})

describe('a lost chunk', () => {
  it('is requested from f + 1 peers in parts, and then the whole payload is requested from others', () => {
    const bench = new Bench({ limits: { ...SMALL, chunksPerRequest: 1 } })
    const block = announced(bench)
    bench.receive(bench.proposer, bench.chunk(block, 0))
    bench.take('arm')
    bench.fire('fetch', CHUNK_PULL_AFTER_MS)
    const asked = bench.sent('rbcRequest')
    expect(asked.map((one) => one.value.missing)).toEqual([[1], [2]])
    expect(new Set(asked.map((one) => one.to)).size).toBe(2)
    expect(asked[0]?.to).toBe(bench.proposer)
    // The two that were asked have a request in flight; the third is the only one left.
    bench.fire('fetch', CHUNK_PULL_AFTER_MS)
    expect(bench.sent('rbcRequest').length).toBe(1)
    bench.fire('fetch', CHUNK_PULL_AFTER_MS)
    expect(bench.sent('payloadRequest')).toEqual([])
    bench.fire('fetch', 1_000)
    expect(bench.sent('payloadRequest').length).toBe(1)
  })
})
