/** Progress of a member through the views of one height, and messages of earlier views that it still accepts. */
import { describe, expect, it } from 'vitest'
import { timeoutCertificateKey } from '../../../src/consensus/certificate.js'
import {
  type ConsensusMessage,
  type DurableRecord,
  type Effect,
  recoverState,
  step,
} from '../../../src/consensus/index.js'
import { LATE_COMMIT_VIEWS, UNREACHABLE_TIMEOUT_MS } from '../../../src/consensus/limits.js'
import {
  type CertifiedHeader,
  keyString,
  type TimeoutCertificate,
  type ValidatorKey,
} from '../../../src/model/index.js'
import { Bench, type Block } from './rbc/bench.js'

const peer = (bench: Bench, at: number): ValidatorKey => bench.others[at] ?? ''
const timeoutMessage = (bench: Bench, from: ValidatorKey, view: number, highPrepare?: CertifiedHeader) =>
  ({ kind: 'timeout', value: bench.timeout(from, view, highPrepare) }) satisfies ConsensusMessage
const entry = (value: TimeoutCertificate): ConsensusMessage => ({ kind: 'timeoutCertificate', value })
const certificate = (value: CertifiedHeader): ConsensusMessage => ({ kind: 'certificate', value })

/** A member that has the block of view 0 executed. */
function withBlock(bench: Bench, { timely = true } = {}): Block {
  const block = bench.block()
  bench.receive(bench.proposer, bench.proposal(block))
  bench.payload(bench.proposer, block, block.body)
  bench.answerExecution(block, { ok: true }, timely)
  bench.settle()
  return block
}

describe('a timeout certificate', () => {
  it('opens the next view, and becomes the entry certificate of the member', () => {
    const bench = new Bench()
    const value = bench.timeoutCertificate(2)
    bench.receive(peer(bench, 0), entry(value))
    expect([bench.state.view, bench.state.entry]).toEqual([3, value])
  })

  it('opens the next view if it belongs to the current view, and has no effect if its view is earlier', () => {
    const bench = new Bench()
    bench.receive(peer(bench, 0), entry(bench.timeoutCertificate(0)))
    expect(bench.state.view).toBe(1)
    bench.receive(peer(bench, 0), entry(bench.timeoutCertificate(0)))
    expect(bench.state.view).toBe(1)
  })

  it('opens its view if it arrives with a proposal', () => {
    const bench = new Bench()
    const block = bench.block(5, 2)
    const value = bench.timeoutCertificate(1)
    bench.receive(bench.order[2] ?? '', bench.proposalOf(2, block, value))
    expect([bench.state.view, bench.state.entry, bench.state.current?.view]).toEqual([2, value, 2])
  })

  it('allows only the block of its prepare certificate to be proposed, not a new block', () => {
    const bench = new Bench()
    const prepared = bench.block()
    const value = bench.timeoutCertificate(1, bench.certified(prepared, 'prepare'))
    const fresh = bench.block(5, 2)
    bench.receive(bench.order[2] ?? '', bench.proposalOf(2, fresh, value))
    expect(bench.state.current?.view).not.toBe(2)
    expect(bench.state.candidates.has(keyString(fresh.hash))).toBe(false)
    bench.receive(bench.order[2] ?? '', bench.proposalOf(2, prepared, value))
    expect([bench.state.current?.view, bench.state.current?.hash]).toEqual([2, keyString(prepared.hash)])
  })

  it('does not justify a proposal if it belongs to a view before the last one', () => {
    const bench = new Bench()
    bench.receive(peer(bench, 0), entry(bench.timeoutCertificate(1)))
    const fresh = bench.block(5, 2)
    bench.receive(bench.order[2] ?? '', bench.proposalOf(2, fresh, bench.timeoutCertificate(0)))
    expect([bench.state.view, bench.state.candidates.has(keyString(fresh.hash))]).toEqual([2, false])
    bench.receive(bench.order[2] ?? '', bench.proposalOf(2, fresh, bench.timeoutCertificate(1)))
    expect(bench.state.candidates.has(keyString(fresh.hash))).toBe(true)
  })

  it('has a verification cache key that covers all of its bytes, including its prepare certificate', () => {
    const bench = new Bench()
    const value = bench.timeoutCertificate(1)
    const highPrepare = bench.certified(bench.block(), 'prepare')
    const keys = [value, { ...value, highPrepare }, { ...value, view: 2 }].map(timeoutCertificateKey)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('has no effect once the height is decided', () => {
    const bench = new Bench()
    bench.receive(peer(bench, 0), certificate(bench.certified(bench.block(), 'commit')))
    const { view } = bench.state
    const value = { height: 2, view: 5, commit: undefined, highPrepare: undefined, entry: bench.timeoutCertificate(5) }
    bench.receive(peer(bench, 0), { kind: 'status', value })
    expect(bench.state.view).toBe(view)
  })

  it('contains the highest prepare certificate of its members, at any position', () => {
    const bench = new Bench()
    const { committee } = bench.state.context
    const certified = bench.certified(bench.block(), 'prepare')
    // The first member of the committee names it, so that it is not the last one that is looked at.
    const [first = '', ...rest] = committee.keys.filter((key) => key !== bench.self)
    bench.receive(first, timeoutMessage(bench, first, 0, certified))
    for (const key of rest) bench.receive(key, timeoutMessage(bench, key, 0))
    bench.settle()
    const [made] = bench.sent('timeoutCertificate')
    expect(made?.value.highPrepare).toEqual(certified)
    expect(made?.value.groups.map((group) => group.certificateView).sort()).toEqual([0, 1])
    expect(bench.state.view).toBe(1)
  })
})

describe('a timeout while it is being signed', () => {
  it('is signed again with a higher prepare certificate that arrives meanwhile, and is not sent before', () => {
    const bench = new Bench()
    const place = { height: bench.state.context.height, view: 0, nowMs: 60_000 }
    const begun = step(bench.state, { type: 'timer', name: 'view', ...place })
    const [signing] = begun.filter((effect) => effect.type === 'sign')
    expect(signing?.intent).toEqual({ kind: 'timeout', value: { highPrepare: undefined, reason: 'noProposal' } })
    const certified = bench.certified(bench.block(), 'prepare')
    bench.receive(peer(bench, 0), certificate(certified))
    expect(bench.state.highPrepare).toEqual(certified)
    const job = signing?.job ?? -1
    const after = step(bench.state, { type: 'signed', job, signatures: [Buffer.alloc(96)], nowMs: 60_001 })
    expect(after.filter((effect) => effect.type === 'persist')).toEqual([])
    const [again] = after.filter((effect) => effect.type === 'sign')
    expect(again?.intent).toMatchObject({ kind: 'timeout', value: { highPrepare: certified } })
  })
})

describe('timeouts of f + 1 members for later views', () => {
  it('move a member to the lower of these views, which it then also times out', () => {
    const bench = new Bench()
    bench.receive(peer(bench, 0), timeoutMessage(bench, peer(bench, 0), 3))
    expect(bench.state.view).toBe(0)
    bench.receive(peer(bench, 1), timeoutMessage(bench, peer(bench, 1), 4))
    bench.settle()
    // The lower of the two: at least one of them is correct.
    expect(bench.state.view).toBe(3)
    expect(bench.sent('timeout').map(({ value }) => value.view)).toEqual([3])
  })
})

describe('a vote', () => {
  it('counts for the commit of an earlier view, since its certificate is still possible', () => {
    const bench = new Bench()
    const block = withBlock(bench)
    bench.vote(peer(bench, 0), block.hash, 'commit')
    bench.receive(peer(bench, 0), entry(bench.timeoutCertificate(0)))
    bench.vote(peer(bench, 1), block.hash, 'commit')
    bench.vote(bench.proposer, block.hash, 'commit')
    expect(bench.take('aggregate').map(({ signatures }) => signatures.length)).toEqual([3])
  })

  it('no longer counts for the preparation of an earlier view', () => {
    const bench = new Bench()
    const block = withBlock(bench)
    bench.receive(peer(bench, 0), entry(bench.timeoutCertificate(0)))
    bench.take('aggregate')
    for (const key of bench.others) bench.vote(key, block.hash, 'prepare')
    expect(bench.take('aggregate')).toEqual([])
  })

  it('is kept until no vote of its view counts any more', () => {
    const bench = new Bench()
    bench.vote(peer(bench, 0), Buffer.alloc(32, 1), 'commit')
    bench.receive(peer(bench, 1), entry(bench.timeoutCertificate(LATE_COMMIT_VIEWS - 1)))
    expect(bench.state.firstVotes.size).toBe(1)
    bench.receive(peer(bench, 1), entry(bench.timeoutCertificate(LATE_COMMIT_VIEWS)))
    expect(bench.state.firstVotes.size).toBe(0)
  })

  it('for a second block in one view does not count, and is evidence against its member', () => {
    const bench = new Bench()
    const block = withBlock(bench)
    bench.vote(peer(bench, 0), Buffer.alloc(32, 1))
    bench.vote(peer(bench, 0), block.hash)
    const accused = bench
      .take('reportEquivocation')
      .map(({ evidence, from }) => [evidence.index, evidence.proof.kind, from])
    const index = bench.state.context.committee.indexOf.get(peer(bench, 0))
    expect(accused).toEqual([[index, 'doubleVote', peer(bench, 0)]])
    bench.vote(peer(bench, 1), block.hash)
    // Ours and one other.
    expect(bench.take('aggregate')).toEqual([])
  })

  it('is not sent for a block with a timestamp later than the clock allows', () => {
    const bench = new Bench()
    withBlock(bench, { timely: false })
    expect(bench.state.prepared).toBeUndefined()
    const quick = new Bench()
    const block = withBlock(quick)
    expect(quick.state.prepared?.vote.blockHash).toEqual(block.hash)
  })

  it('is sent in a later view for a block beyond the clock limit that a quorum prepared, to keep the height live', () => {
    const bench = new Bench()
    const block = withBlock(bench, { timely: false })
    const carried = bench.timeoutCertificate(0, bench.certified(block, 'prepare'))
    // This node is the proposer of view 1.
    bench.receive(peer(bench, 0), entry(bench.timeoutCertificate(1, carried.highPrepare)))
    bench.receive(bench.order[2] ?? '', bench.proposalOf(2, block, bench.timeoutCertificate(1, carried.highPrepare)))
    bench.settle()
    expect(bench.state.prepared).toMatchObject({ view: 2, vote: { blockHash: block.hash } })
  })
})

describe('the timer of a view', () => {
  const delays = (bench: Bench): number[] =>
    bench
      .take('arm')
      .filter(({ name }) => name === 'view')
      .map(({ delayMs }) => delayMs)

  it('is shortened if the link to its proposer is lost, but not if other links are lost', () => {
    const bench = new Bench()
    bench.input({ type: 'work', pending: true, full: false })
    const [whole = 0] = delays(bench)
    bench.input({ type: 'peerDown', peer: peer(bench, 0) })
    expect(delays(bench)).toEqual([])
    bench.input({ type: 'peerDown', peer: bench.proposer })
    expect(delays(bench)).toEqual([UNREACHABLE_TIMEOUT_MS])
    expect(whole).toBeGreaterThan(UNREACHABLE_TIMEOUT_MS)
    bench.fire('view', UNREACHABLE_TIMEOUT_MS)
    expect(bench.state.timedOut?.timeout.reason).toBe('unreachableProposer')
  })

  it('stops when the height has no more work', () => {
    const bench = new Bench()
    bench.input({ type: 'work', pending: true, full: false })
    bench.input({ type: 'work', pending: false, full: false })
    expect(bench.take('disarm')).toEqual([{ type: 'disarm', name: 'view' }])
  })
})

describe('the duration of a height', () => {
  it('is measured from its first work, and a late view lengthens the timeouts of the next heights', () => {
    const bench = new Bench()
    bench.nowMs = 1_000
    const block = bench.block()
    bench.receive(bench.proposer, bench.proposal(block))
    bench.nowMs = 1_100
    bench.receive(peer(bench, 0), entry(bench.timeoutCertificate(2)))
    const { baseHeightMs } = bench.state.context.parameters
    expect(bench.state.pacemaker.heightMs).toBeCloseTo(
      Math.max(baseHeightMs, baseHeightMs + 0.2 * (100 - baseHeightMs)),
    )
    bench.receive(peer(bench, 0), certificate(bench.certified(block, 'commit', [0, 1, 2], 3)))
    bench.input({ type: 'committed', next: { ...bench.state.context, height: 3 }, self: bench.self })
    expect(bench.state.pacemaker.baseExponent).toBe(2)
  })
})

describe('after a restart', () => {
  it('a member resumes in the highest view of its records and sends its votes again', () => {
    const before = new Bench()
    const block = before.block()
    before.receive(peer(before, 0), entry(before.timeoutCertificate(1)))
    before.receive(peer(before, 0), certificate(before.certified(block, 'prepare', [0, 1, 2], 2)))
    before.payload(peer(before, 0), block, block.body)
    before.approve(block)
    const records = before.take('persist').flatMap((effect) => effect.records)
    const locked = records.filter(({ kind }) => kind === 'locked')
    expect(locked).toHaveLength(1)
    // Each record says its view; the others may not have reached the disk.
    const [{ value }] = locked as [Extract<DurableRecord, { kind: 'locked' }>]
    const vote = { ...value.vote, phase: 'prepare' as const }
    const prepared: DurableRecord = {
      kind: 'prepared',
      value: { height: 2, vote, header: block.header, body: block.body },
    }
    expect(recoverState(before.self, before.state.context, [prepared], 0).view).toBe(2)
    const back = recoverState(before.self, before.state.context, locked, 0)
    expect([back.view, back.locked?.view, back.active]).toEqual([2, 2, true])
    const sent = step(back, { type: 'started', nowMs: 0 }).flatMap((effect: Effect) =>
      effect.type === 'send' && effect.message.kind === 'vote' ? [effect.message.value] : [],
    )
    expect(sent).toHaveLength(before.others.length + 1)
    expect(new Set(sent.map((vote) => `${vote.phase} ${vote.view}`))).toEqual(new Set(['commit 2']))
  })
})
