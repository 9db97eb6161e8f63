/** Arithmetic of voters, proposers, collectors and the duration of a view. */
import { describe, expect, it } from 'vitest'
import { collectorCount, collectorsOf, demotedAt, selectCommittee, sortRoster } from '../../../src/consensus/index.js'
import { measureAttempt, measureCommit, newPacemaker, viewTimeoutMs } from '../../../src/consensus/pacemaker.js'
import { DEFAULT_CONSENSUS_PARAMETERS } from '../../../src/model/index.js'
import { fakeKey } from '../../../src/simulation/signatures.js'

const rosterOf = (n: number) => sortRoster(Array.from({ length: n }, (_, index) => fakeKey(index)))
const SEED = Buffer.alloc(32, 1)

describe('a committee', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
    [5, 4],
    [6, 4],
    [7, 7],
    [9, 7],
    [10, 10],
  ])('of a roster of %i has %i members', (n, members) => {
    const committee = selectCommittee(rosterOf(n), SEED, SEED, 9)
    expect(committee.keys).toHaveLength(members)
    expect(committee.indexOf.size).toBe(members)
    expect(committee.keys.every((key, index) => committee.indexOf.get(key) === index)).toBe(true)
  })

  it('differs at another height', () => {
    const orders = [8, 9, 10].map((height) => selectCommittee(rosterOf(31), SEED, SEED, height).keys.join())
    expect(new Set(orders).size).toBe(3)
  })
})

describe('a member with a failed view', () => {
  const roster = rosterOf(7)
  const [a = '', b = '', c = ''] = roster

  it('is demoted for 32 heights and no longer', () => {
    const failures = new Map([[a, 100]])
    expect(demotedAt(roster, failures, 132)).toEqual([a])
    expect(demotedAt(roster, failures, 133)).toEqual([])
  })

  it('is demoted before members with earlier failures, and at most f members are demoted', () => {
    const failures = new Map([
      [a, 100],
      [b, 102],
      [c, 101],
    ])
    expect(demotedAt(roster, failures, 110)).toEqual([b, c])
    expect(demotedAt(rosterOf(3), failures, 110)).toEqual([])
  })
})

describe('votes of a view', () => {
  it('go to all members of a committee of up to seven', () => {
    for (const n of [1, 4, 7]) expect(collectorsOf(rosterOf(n), 3, 0, 0)).toEqual(rosterOf(n))
  })

  it('go to f + 1 members after the proposer in a larger committee, and to as many more as configured', () => {
    const order = rosterOf(10)
    expect(collectorsOf(order, 8, 0, 0)).toEqual([order[9], order[0], order[1], order[2]])
    expect(collectorsOf(order, 0, 0, 2)).toEqual(order.slice(1, 7))
    expect(collectorsOf(order, 0, 6, 0)).toEqual(order.slice(1, 7))
    // One of f is not enough, whatever the parameter says.
    expect(collectorsOf(order, 0, 1, 0)).toEqual(order.slice(1, 5))
    expect(collectorsOf(order, 0, 9, 0)).toEqual(order)
    expect([0, 6, 1, 9].map((k) => collectorCount(10, k))).toEqual([4, 6, 4, 10])
  })
})

describe('the timeout of a view', () => {
  const parameters = { ...DEFAULT_CONSENSUS_PARAMETERS, baseHeightMs: 100 }
  const timeoutAfter = (...heights: readonly number[]): number => {
    const pacemaker = newPacemaker(parameters)
    for (const ms of heights) measureAttempt(pacemaker, parameters, ms)
    return viewTimeoutMs(pacemaker, parameters, 0)
  }

  it('is eight times an average height that weighs the newest by a fifth, up to four times the base', () => {
    expect(timeoutAfter()).toBe(800)
    expect(timeoutAfter(200)).toBe(8 * 120)
    expect(timeoutAfter(200, 220)).toBe(8 * 140)
    expect(timeoutAfter(10)).toBe(800)
    expect(timeoutAfter(1_000_000)).toBe(3_200)
  })

  it('keeps its length after a height with several views, and shrinks by one step with each quick height', () => {
    const pacemaker = newPacemaker(parameters)
    const exponents = [3, 0, 0, 1, 0, 0].map((view) => {
      measureCommit(pacemaker, view)
      return pacemaker.baseExponent
    })
    expect(exponents).toEqual([2, 1, 0, 0, 0, 0])
    measureCommit(pacemaker, 50)
    expect(pacemaker.baseExponent).toBe(6)
    expect(viewTimeoutMs(pacemaker, parameters, 0)).toBe(Math.round(800 * 1.5 ** 6))
  })
})
