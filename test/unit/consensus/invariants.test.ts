/** Assertions of consensus (ARCHITECTURE.md): each violated invariant ends the step, and with it the node. */
import { describe, expect, it } from 'vitest'
import { enterView, jumpView } from '../../../src/consensus/enter.js'
import type { Proposal, Vote } from '../../../src/consensus/index.js'
import {
  takeOwnCommit,
  takeOwnPrepare,
  takeOwnProposal,
  takeOwnTimeout,
} from '../../../src/consensus/own-signatures.js'
import type { CertifiedHeader, Phase } from '../../../src/model/index.js'
import { Bench, type Block } from './rbc/bench.js'

function member() {
  const bench = new Bench()
  const block = bench.block()
  const vote = (phase: Phase, view: number, { hash }: Block = block): Vote => ({
    phase,
    height: 2,
    view,
    blockHash: hash,
    index: 0,
    signature: Buffer.alloc(96),
  })
  const proposal = (view: number): Proposal => {
    const message = bench.proposal(block)
    if (message.kind !== 'proposal') throw new Error('a proposal')
    return { ...message.value, view }
  }
  return { bench, state: bench.state, ctx: { state: bench.state, effects: [] }, block, vote, proposal }
}

describe('a signature of this node', () => {
  it('is made for one proposal per view', () => {
    const { state, proposal } = member()
    takeOwnProposal(state, proposal(1))
    for (const view of [0, 1]) expect(() => takeOwnProposal(state, proposal(view))).toThrow('one proposal per view')
    takeOwnProposal(state, proposal(2))
    expect(state.lastProposal?.view).toBe(2)
  })

  it('is made for one prepare vote per view', () => {
    const { state, vote } = member()
    takeOwnPrepare(state, vote('prepare', 1))
    for (const view of [0, 1]) {
      expect(() => takeOwnPrepare(state, vote('prepare', view))).toThrow('one prepare vote per view')
    }
    takeOwnPrepare(state, vote('prepare', 2))
    expect(state.prepared?.view).toBe(2)
  })

  it('is made for one commit vote per view', () => {
    const { bench, state, block, vote } = member()
    const commit = (view: number): void =>
      takeOwnCommit(state, vote('commit', view), bench.certified(block, 'prepare', [0, 1, 2], view))
    commit(1)
    for (const view of [0, 1]) expect(() => commit(view)).toThrow('one commit vote per view')
    commit(2)
    expect(state.locked?.view).toBe(2)
  })

  it('is made for a commit vote only with the prepare certificate of its view and block', () => {
    const { bench, state, block, vote } = member()
    const wrong = [
      bench.certified(block, 'prepare', [0, 1, 2], 0),
      bench.certified(block, 'commit', [0, 1, 2], 1),
      bench.certified(bench.block(2), 'prepare', [0, 1, 2], 1),
    ]
    for (const certified of wrong)
      expect(() => takeOwnCommit(state, vote('commit', 1), certified)).toThrow('rests on the prepare certificate')
  })

  it('is made for one timeout per view', () => {
    const { bench, state } = member()
    takeOwnTimeout(state, bench.timeout(bench.self, 1))
    for (const view of [0, 1]) {
      expect(() => takeOwnTimeout(state, bench.timeout(bench.self, view))).toThrow('one timeout per view')
    }
  })

  it('is not made at or below a timed-out view', () => {
    const { bench, state, block, vote, proposal } = member()
    takeOwnTimeout(state, bench.timeout(bench.self, 1))
    const certified = bench.certified(block, 'prepare', [0, 1, 2], 1)
    expect(() => takeOwnProposal(state, proposal(1))).toThrow('given up before')
    for (const view of [0, 1]) expect(() => takeOwnPrepare(state, vote('prepare', view))).toThrow('given up before')
    expect(() => takeOwnCommit(state, vote('commit', 1), certified)).toThrow('given up before')
    takeOwnPrepare(state, vote('prepare', 2))
    expect(state.prepared?.view).toBe(2)
  })
})

describe('a view', () => {
  it('only increases', () => {
    const { bench, ctx, block } = member()
    jumpView(ctx, 3)
    const certified = bench.certified(block, 'prepare', [0, 1, 2], 3)
    expect(() => enterView(ctx, 3, { kind: 'prepare', certified })).toThrow('views of a height never fall')
    expect(() => jumpView(ctx, 2)).toThrow('views of a height never fall')
  })

  it('is only entered by the timeout certificate of the previous view', () => {
    const { bench, ctx } = member()
    const certificate = bench.timeoutCertificate(1)
    expect(() => enterView(ctx, 3, { kind: 'timeout', certificate })).toThrow('opens the next view')
  })
})

describe('a height', () => {
  it('follows the previous one', () => {
    const { bench } = member()
    const next = { ...bench.state.context, height: 4 }
    expect(() => bench.input({ type: 'committed', next, self: bench.self })).toThrow('one after another')
  })

  /** Certificates of two blocks, which more liars than there may be can make, in a Status. */
  const show = (bench: Bench, shown: { commit?: CertifiedHeader; highPrepare?: CertifiedHeader }): void => {
    const none = { commit: undefined, highPrepare: undefined, entry: undefined }
    bench.receive(bench.proposer, { kind: 'status', value: { height: 2, view: 0, ...none, ...shown } })
  }

  it('has one prepare-certified block per view', () => {
    const { bench, block } = member()
    show(bench, { highPrepare: bench.certified(block, 'prepare') })
    const other = bench.certified(bench.block(2), 'prepare')
    expect(() => show(bench, { highPrepare: other })).toThrow('at most one block is prepare-certified per view')
  })

  it('has one decided block', () => {
    const { bench, block } = member()
    show(bench, { commit: bench.certified(block, 'commit') })
    const other = bench.certified(bench.block(2), 'commit')
    expect(() => show(bench, { commit: other })).toThrow('one committed block per height')
  })
})
