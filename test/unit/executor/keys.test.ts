/** Consensus keys of a peer over the heights: which acts, which waits, and what disabling one does to the others. */
import { beforeEach, describe, expect, it } from 'vitest'
import { disableKey } from '../../../src/executor/consensus-keys.js'
import { addKey, consensusKeys, keyOfPeer, statusOfKey } from '../../../src/executor/index.js'
import { fakeKey } from '../../../src/simulation/signatures.js'
import { Bench } from '../../support/executor.js'

const [PEER = '', NEXT = ''] = [0, 1].map((index) => fakeKey(index))
const pop = Buffer.alloc(96)

let bench: Bench
const actingAt = (height: number) => keyOfPeer(bench.state, PEER, height)
const statusAt = (key: string, height: number) => {
  const row = bench.state.get(consensusKeys, key)
  return row === undefined ? undefined : statusOfKey(row, height, 8)
}

/** A peer whose key acts from height 2 on, and another one that takes its place at height 10. */
beforeEach(() => {
  bench = new Bench()
  addKey(bench.state, { key: PEER, peer: PEER, pop }, 2, 2)
  addKey(bench.state, { key: NEXT, peer: PEER, pop }, 10, 5)
})

describe('a replaced key', () => {
  it('is active until the height of the new key, retires for the overlap, and is then disabled', () => {
    expect([9, 10].map(actingAt)).toEqual([PEER, NEXT])
    expect([1, 2, 9, 10, 17, 18].map((height) => statusAt(PEER, height))).toEqual([
      'pending',
      'active',
      'active',
      'retiring',
      'retiring',
      'disabled',
    ])
    expect([9, 10].map((height) => statusAt(NEXT, height))).toEqual(['pending', 'active'])
  })

  it('stays active if the new key is disabled before that height', () => {
    disableKey(bench.state, NEXT, 8)
    expect([9, 10, 50].map(actingAt)).toEqual([PEER, PEER, PEER])
    expect(statusAt(NEXT, 10)).toBe('disabled')
  })

  it('does not become active again if the new key is disabled later', () => {
    disableKey(bench.state, NEXT, 20)
    expect([19, 20, 50].map(actingAt)).toEqual([NEXT, undefined, undefined])
    expect([19, 20].map((height) => statusAt(NEXT, height))).toEqual(['active', 'disabled'])
  })
})

describe('a key disabled from a height on', () => {
  it('is active at all heights before that height', () => {
    disableKey(bench.state, PEER, 6)
    expect([5, 6, 9, 10].map(actingAt)).toEqual([PEER, undefined, undefined, NEXT])
    expect([5, 6].map((height) => statusAt(PEER, height))).toEqual(['active', 'disabled'])
  })
})
