/** Maximum length of a payload inside a proposal: smaller with many validators; larger payloads are sent by hashes. */
import { describe, expect, it } from 'vitest'
import { DEFAULT_PAYLOAD_LIMITS, DIRECT_FANOUT_BYTES } from '../../../../src/consensus/index.js'
import { hashOfHeader, payloadHash } from '../../../../src/model/index.js'
import { Bench, type Block } from './bench.js'

const KIB = 1024
const COMPACT = Buffer.from('hashes of records')

/** The block of the bench with a payload of so many bytes. */
function blockOf(bench: Bench, bytes: number): Block {
  const body = Buffer.alloc(bytes, 7)
  const header = { ...bench.block().header, payloadHash: payloadHash(body), payloadBytes: bytes }
  return { header, hash: hashOfHeader(header), body }
}

/** A proposer that is asked for a block of so many bytes. */
function proposing(members: number, bytes: number, limits = DEFAULT_PAYLOAD_LIMITS) {
  const bench = new Bench({ place: 0, members, limits })
  const block = blockOf(bench, bytes)
  bench.input({ type: 'work', pending: true, full: true })
  const [build] = bench.take('build')
  bench.built(block, COMPACT)
  return { bench, block, directBytes: build?.directBytes }
}

describe('the size limit of a payload inside a proposal', () => {
  it.each([
    [1, 256 * KIB],
    [4, 256 * KIB],
    [7, 256 * KIB],
    [16, Math.floor(DIRECT_FANOUT_BYTES / 15)],
    [100, Math.floor(DIRECT_FANOUT_BYTES / 99)],
  ])('with %i validators is %i bytes', (members, bytes) => {
    expect(proposing(members, 100).directBytes).toBe(bytes)
  })

  it('is the configured limit of the node if that limit is lower', () => {
    expect(proposing(100, 100, { ...DEFAULT_PAYLOAD_LIMITS, directBytes: 1_000 }).directBytes).toBe(1_000)
  })
})

describe('a payload of 20 KiB', () => {
  it('is part of the proposal, and of its record, if there are few validators', () => {
    const { bench, block } = proposing(16, 20 * KIB)
    expect(bench.take('stage')).toEqual([])
    const [persist] = bench.take('persist')
    bench.input({ type: 'persisted', job: persist?.job ?? 0 })
    const [proposal] = bench.sent('proposal')
    expect(proposal?.value).toMatchObject({ body: block.body, compact: undefined })
  })

  it('is staged first and then proposed by its hashes if there are a hundred validators', () => {
    const { bench, block } = proposing(100, 20 * KIB)
    expect(bench.take('stage').map((one) => one.payloadHash)).toEqual([block.header.payloadHash])
    expect(bench.take('persist')).toEqual([])
    bench.staged(block)
    const [persist] = bench.take('persist')
    expect(persist?.records.map(({ kind }) => kind)).toEqual(['proposed', 'prepared'])
    expect(bench.sent('proposal')).toEqual([])
    bench.input({ type: 'persisted', job: persist?.job ?? 0 })
    const [proposal] = bench.sent('proposal')
    expect(proposal?.value).toMatchObject({ body: undefined, compact: COMPACT, digests: [] })
  })

  it('is staged before the vote if it arrives inside a proposal despite its size', () => {
    const bench = new Bench({ place: 1, members: 100, limits: DEFAULT_PAYLOAD_LIMITS })
    const block = blockOf(bench, 20 * KIB)
    bench.receive(bench.proposer, bench.proposal(block, { body: block.body }))
    expect(bench.take('stage').map((one) => one.payloadHash)).toEqual([block.header.payloadHash])
    bench.approve(block)
    expect(bench.take('persist')).toEqual([])
    bench.staged(block)
    const records = bench.take('persist').flatMap((one) => one.records)
    expect(records).toMatchObject([{ kind: 'prepared', value: { body: undefined } }])
  })
})
