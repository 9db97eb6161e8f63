/** When a node that may have forgotten votes, or never had any, takes part (docs/decisions/0010). */
import { describe, expect, it } from 'vitest'
import type { ValidatorKey } from '../../../src/model/index.js'
import { Bench } from './rbc/bench.js'

/** Every validator but the node itself, members and stand-bys. */
const othersOf = (bench: Bench): ValidatorKey[] => bench.state.context.rosterPeers.filter((key) => key !== bench.self)

describe('a node that lost its votes', () => {
  it.each([
    [4, 3],
    [5, 4],
    [6, 5],
    [7, 5],
    [8, 6],
    [9, 7],
  ])(
    'in a roster of %i validators waits for %i others to report their height, including standbys',
    (members, needed) => {
      const bench = new Bench({ members, abstaining: 'amnesia' })
      const others = othersOf(bench)
      for (const [at, key] of others.entries()) {
        if (at === needed) break
        expect(bench.state.abstention?.resumeAt, `after ${at}`).toBeUndefined()
        bench.status(key)
      }
      expect(bench.state.abstention?.resumeAt).toBe(1 + 3)
    },
  )

  it.each([2, 3])(
    'in a roster of %i validators waits for operator consent, since every validator is needed',
    (members) => {
      const bench = new Bench({ members, place: 0, abstaining: 'amnesia' })
      for (const key of othersOf(bench)) bench.status(key)
      expect(bench.state.abstention?.resumeAt).toBeUndefined()
    },
  )

  it('uses the first report of each peer, since only that one dates from the time of the loss', () => {
    const bench = new Bench({ abstaining: 'amnesia' })
    const [first = '', ...rest] = othersOf(bench)
    bench.status(first, 50)
    bench.status(first, 2)
    for (const key of rest) bench.status(key, 2)
    expect(bench.state.abstention?.resumeAt).toBeUndefined()
  })

  it('does not count reports of unknown peers or of itself', () => {
    const bench = new Bench({ abstaining: 'amnesia' })
    for (const key of ['stranger', bench.self, ...othersOf(bench).slice(0, 2)]) bench.status(key)
    expect(bench.state.abstention?.resumeAt).toBeUndefined()
  })

  it('waits while it has verified blocks above its own height, which it has not committed yet', () => {
    const bench = new Bench({ abstaining: 'amnesia' })
    const block = { header: bench.block().header, certificate: undefined, body: Buffer.alloc(0) }
    const { blocks } = bench.state.sync
    blocks.set(2, { block, from: othersOf(bench)[0] ?? '', status: 'verified' })
    blocks.set(3, { block, from: othersOf(bench)[0] ?? '', status: 'verified' })
    for (const key of othersOf(bench)) bench.status(key)
    expect(bench.state.abstention?.resumeAt).toBeUndefined()
    blocks.delete(3)
    // The one of its own height is being committed.
    blocks.set(2, { block, from: othersOf(bench)[0] ?? '', status: 'verified' })
    bench.status(othersOf(bench)[0] ?? '')
    expect(bench.state.abstention?.resumeAt).toBe(1 + 3)
  })

  it('restarts its count when the roster changes, but not when only keys rotate', () => {
    const bench = new Bench({ abstaining: 'amnesia' })
    const [a = '', b = '', c = ''] = othersOf(bench)
    for (const key of [a, b]) bench.status(key)
    const { context } = bench.state
    // The key of `c` is another one now; its peer is the same.
    bench.state.context = { ...context, peerOf: (key) => (key === 'rotated' ? c : key) }
    bench.status('rotated')
    expect(bench.state.abstention?.resumeAt).toBe(4)

    const changed = new Bench({ abstaining: 'amnesia' })
    for (const key of [a, b]) changed.status(key)
    changed.state.context = { ...changed.state.context, rosterPeers: [...context.rosterPeers.slice(1), 'newcomer'] }
    changed.status(c)
    expect([...(changed.state.abstention?.shown.keys() ?? [])].length).toBeLessThanOrEqual(1)
    expect(changed.state.abstention?.resumeAt).toBeUndefined()
  })

  it('restarts its count when the roster changes before the height at which it votes again', () => {
    const bench = new Bench({ abstaining: 'amnesia' })
    for (const key of othersOf(bench)) bench.status(key)
    expect(bench.state.abstention?.resumeAt).toBe(4)
    const { context } = bench.state
    bench.state.context = { ...context, rosterPeers: [...context.rosterPeers.slice(1), 'newcomer'] }
    bench.status('newcomer', 9)
    expect(bench.state.abstention?.resumeAt).toBeUndefined()
  })
})

describe('a node that never voted', () => {
  it('votes at the first height once a quorum is connected at genesis', () => {
    const bench = new Bench({ abstaining: 'firstStart' })
    const [a = '', b = ''] = othersOf(bench)
    bench.status(a)
    expect(bench.take('endAbstention')).toEqual([])
    bench.status(b)
    expect(bench.take('endAbstention').length).toBe(1)
    bench.input({ type: 'abstentionEnded' })
    expect(bench.state.index).toBeDefined()
  })

  it('abstains like a node with lost votes if the other nodes are at a greater height', () => {
    const bench = new Bench({ abstaining: 'firstStart' })
    for (const key of othersOf(bench)) bench.status(key, 9)
    expect(bench.take('endAbstention')).toEqual([])
    expect(bench.state.abstention?.resumeAt).toBeUndefined()
  })

  it('abstains when a certificate above genesis is known', () => {
    const bench = new Bench({ abstaining: 'firstStart' })
    const block = bench.block()
    bench.receive(bench.others[0] ?? '', { kind: 'certificate', value: bench.certified(block, 'commit') })
    for (const key of othersOf(bench).slice(0, 2)) bench.status(key)
    expect(bench.take('endAbstention')).toEqual([])
  })

  it('is treated as a node with lost votes if a mark is stored beside its key', () => {
    const bench = new Bench({ abstaining: 'amnesia' })
    for (const key of othersOf(bench)) bench.status(key)
    expect(bench.take('endAbstention')).toEqual([])
  })
})
