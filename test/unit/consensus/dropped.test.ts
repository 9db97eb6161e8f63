/** Every message that comes to nothing is reported: where this node is, who sent it, and why. */
import { describe, expect, it } from 'vitest'
import type { ConsensusMessage } from '../../../src/consensus/index.js'
import type { ValidatorKey } from '../../../src/model/index.js'
import { Bench } from './rbc/bench.js'

const OUTSIDER = 'stranger'

interface Dropped {
  readonly from: ValidatorKey
  readonly text: string
}

/** Messages that were dropped since the last look. */
const dropped = (bench: Bench): Dropped[] =>
  bench.take('report').flatMap(({ report }) => {
    if (report.kind !== 'dropped') return []
    const { from, height, view, message, reason } = report
    return [{ from, text: `${height}:${view} ${message} ${reason}` }]
  })

/** A member at height 2 and the first of the others. */
function member() {
  const bench = new Bench()
  return { bench, other: bench.others[0] ?? '', block: bench.block() }
}

describe('a message without effect', () => {
  it('is reported as a fault of its sender if no correct peer sends it', () => {
    const { bench, other, block } = member()
    bench.receive(other, bench.init(block))
    bench.receive(OUTSIDER, bench.signal('rbcReady', block))
    bench.vote(other, block.hash)
    bench.vote(other, Buffer.alloc(32, 1))
    const stolen = bench.timeout(bench.proposer, 0)
    bench.receive(other, { kind: 'timeout', value: stolen })
    expect(dropped(bench)).toEqual([
      { from: other, text: '2:0 rbcInit fault' },
      { from: OUTSIDER, text: '2:0 rbcReady fault' },
      { from: other, text: '2:0 vote fault' },
      { from: other, text: '2:0 timeout fault' },
    ])
  })

  it('is reported as known if it contains nothing new', () => {
    const { bench, other, block } = member()
    for (let time = 0; time < 2; time++) bench.vote(other, block.hash)
    for (let time = 0; time < 2; time++) bench.receive(bench.proposer, bench.init(block))
    for (let time = 0; time < 2; time++) bench.receive(bench.proposer, bench.chunk(block, 0))
    for (let time = 0; time < 2; time++) bench.receive(other, bench.signal('rbcReady', block))
    expect(dropped(bench).map(({ text }) => text)).toEqual(
      ['vote', 'rbcInit', 'rbcChunk', 'rbcReady'].map((kind) => `2:0 ${kind} known`),
    )
  })

  it('is reported as past or early if its view or height differs', () => {
    const { bench, other, block } = member()
    bench.receive(other, { kind: 'timeoutCertificate', value: bench.timeoutCertificate(3) })
    bench.take('report')
    bench.vote(other, block.hash)
    bench.vote(other, block.hash, 'prepare', 9)
    bench.receive(bench.proposer, bench.init(block))
    bench.receive(bench.order[1] ?? '', bench.init(block, { view: 9 }))
    bench.receive(OUTSIDER, { kind: 'timeout', value: bench.timeout(other, 0, undefined, 4) })
    expect(dropped(bench)).toEqual([
      { from: other, text: '2:4 vote past' },
      { from: other, text: '2:4 vote early' },
      { from: bench.proposer, text: '2:4 rbcInit past' },
      { from: bench.order[1], text: '2:4 rbcInit early' },
      { from: OUTSIDER, text: '2:4 timeout early' },
    ])
  })

  it('is reported as unsolicited if it was not requested, and as unknown if it requests data that the node lacks', () => {
    const { bench, other, block } = member()
    bench.payload(other, block, block.body)
    bench.records(other, block, [])
    const { payloadHash } = block.header
    const messages: ConsensusMessage[] = [
      { kind: 'syncResponse', value: { blocks: [] } },
      { kind: 'rbcRequest', value: { height: 2, view: 0, payloadHash, missing: [0] } },
    ]
    for (const message of messages) bench.receive(other, message)
    expect(dropped(bench).map(({ text }) => text)).toEqual([
      '2:0 payloadResponse unasked',
      '2:0 recordResponse unasked',
      '2:0 syncResponse unasked',
      '2:0 rbcRequest unknown',
    ])
  })

  it('is reported as a mismatch if its bytes do not match the announcement or the request', () => {
    const { bench, other, block } = member()
    bench.receive(bench.proposer, bench.init(block))
    bench.receive(other, bench.chunk(block, 0, { bytes: Buffer.alloc(4) }))
    bench.receive(bench.proposer, bench.proposal(block))
    bench.payload(other, block, Buffer.alloc(3))
    expect(dropped(bench)).toEqual([
      { from: other, text: '2:0 rbcChunk mismatch' },
      { from: other, text: '2:0 payloadResponse mismatch' },
    ])
  })

  it('is reported as replaced or as full if the node has no room for it', () => {
    const bench = new Bench({ limits: { ...new Bench().state.rbc.limits, stashMessages: 1 } })
    const [other = ''] = bench.others
    const [first, second] = [bench.block(1), bench.block(2)]
    for (const block of [first, second]) bench.receive(other, bench.signal('rbcReady', block))
    for (const block of [first, second]) bench.receive(bench.proposer, bench.init(block))
    expect(dropped(bench)).toEqual([
      { from: other, text: '2:0 rbcReady replaced' },
      { from: bench.proposer, text: '2:0 rbcInit full' },
    ])
  })

  it('is reported after the end of its height if it was still being verified', () => {
    const bench = new Bench({ verifiesByHand: true })
    const [other = ''] = bench.others
    bench.receive(other, { kind: 'timeout', value: bench.timeout(other, 0) })
    const [verify] = bench.take('verify')
    bench.input({ type: 'committed', next: { ...bench.state.context, height: 3 }, self: bench.self })
    expect(dropped(bench)).toEqual([{ from: other, text: '2:0 timeout past' }])
    bench.input({ type: 'verified', job: verify?.job ?? 0, ok: true })
    expect(bench.state.timeouts.size).toBe(0)
  })
})
