/** One function says in words why the chain does not move; status, log and dashboard share it. */
import { describe, expect, it } from 'vitest'
import {
  type ConsensusState,
  committeeOf,
  type HeightContext,
  hashKey,
  newState,
  sortRoster,
} from '../../../src/consensus/index.js'
import { newCandidate } from '../../../src/consensus/state.js'
import {
  type BlockHeader,
  DEFAULT_CONSENSUS_PARAMETERS,
  hashOfHeader,
  type TimeoutReason,
} from '../../../src/model/index.js'
import { explainStall, type StallEvidence } from '../../../src/node/status/stall.js'
import { fakeKey } from '../../../src/simulation/signatures.js'
import { BLANK_HEADER } from '../../support/headers.js'

const keys = sortRoster([0, 1, 2, 3].map((index) => fakeKey(index)))
const committee = committeeOf(7, keys)
const context: HeightContext = {
  height: 7,
  chain: 'test',
  chainHash: Buffer.alloc(32),
  epoch: 0,
  parentHash: Buffer.alloc(32),
  parentTimeMs: 0,
  parentCertificate: undefined,
  parent: undefined,
  rosterHash: Buffer.alloc(32),
  rosterPeers: keys,
  peerOf: (key) => key,
  committee,
  order: keys,
  nextCommittee: committeeOf(8, keys),
  parameters: DEFAULT_CONSENSUS_PARAMETERS,
}
const at = (index: number): string => keys[index] ?? ''
const nameOf = (key: string): string => `val-${keys.indexOf(key)}`

/** Our state as member 0, ten seconds into a height with work. */
function working(): ConsensusState {
  const state = newState(at(0), context, 0)
  state.work = { pending: true, full: false }
  state.active = true
  return state
}
const evidence = (state: ConsensusState, more: Partial<StallEvidence> = {}): StallEvidence => ({
  state,
  monotonicMs: 10_000,
  wallMs: 1_000_000,
  lastCommitMs: 0,
  nameOf,
  linkError: () => undefined,
  isConnected: () => true,
  downSinceMs: () => undefined,
  ...more,
})
const timedOut = (state: ConsensusState, index: number, reason: TimeoutReason = 'noProposal'): void => {
  state.timeouts.set(index, { height: 7, view: 0, highPrepare: undefined, reason, index, signature: Buffer.alloc(96) })
}

describe('the stall explainer', () => {
  it('does not count idle time', () => {
    const state = working()
    state.viewStartedAtMs = 9_990
    expect(explainStall(evidence(state))).toBeUndefined()
    expect(explainStall(evidence(state, { monotonicMs: 20_000 }))?.sinceMs).toBe(1_000_000 - 10_010)
    // The views after the first are part of the same stall.
    state.view = 1
    expect(explainStall(evidence(state))).toMatchObject({ sinceMs: 990_000 })
  })

  it('reports nothing while idle, however long', () => {
    const state = newState(at(0), context, 0)
    expect(explainStall(evidence(state, { monotonicMs: 1e9 }))).toBeUndefined()
  })

  it('reports nothing while a height is within its timeouts', () => {
    expect(explainStall(evidence(working(), { monotonicMs: 500 }))).toBeUndefined()
  })

  it('reports a block of the current view whose time is ahead of the clock, but not in a later view', () => {
    const state = working()
    const header = { ...BLANK_HEADER, chain: 'test', height: 7, parentHash: Buffer.alloc(32), originView: 0 }
    const block: BlockHeader = { ...header, originProposer: at(1), timeMs: 5_000 }
    const hash = hashKey(hashOfHeader(block))
    state.candidates.set(hash, { ...newCandidate(hash, block, Buffer.alloc(0)), status: 'executed', timely: false })
    state.current = { view: 0, hash }
    const found = explainStall(evidence(state))
    expect(found?.reason).toBe('block_refused')
    expect(found?.text).toContain('max_clock_drift_ms ahead of the clock of this node')
    state.view = 1
    state.current = { view: 1, hash }
    expect(explainStall(evidence(state))?.reason).toBe('votes_missing')
  })

  it('reports missing validators with the duration and reason, and the number of missing votes', () => {
    const away = new Set([at(2), at(3)])
    const found = explainStall(
      evidence(working(), {
        isConnected: (key) => !away.has(key),
        linkError: (key) => (key === at(2) ? 'ECONNREFUSED' : undefined),
        downSinceMs: (key) => (key === at(2) ? 4_000 : undefined),
      }),
    )
    expect(found).toEqual({
      reason: 'no_quorum',
      sinceMs: 990_000,
      missing: ['val-2', 'val-3'],
      text: 'h7 v0: only 2 of the 3 validators of a quorum are reachable, 1 short; missing val-2 (ECONNREFUSED, offline for 6 s), val-3 (not connected)',
    })
  })

  it('reports the missing proposal, and members that did not vote', () => {
    const state = working()
    timedOut(state, 1)
    expect(explainStall(evidence(state))).toMatchObject({
      reason: 'no_proposal',
      missing: ['val-2', 'val-3'],
      text: 'h7 v0: no proposal from val-0 yet; 1 of 3 votes, 2 short; waiting for val-2 (connected, no vote), val-3 (connected, no vote)',
    })
  })

  it('reports that this node abstains', () => {
    const state = newState(at(0), context, 0, 'amnesia')
    state.work = { pending: true, full: false }
    expect(explainStall(evidence(state))).toMatchObject({ reason: 'abstaining' })
  })

  it('reports that this node halted', () => {
    const state = working()
    state.halted = true
    expect(explainStall(evidence(state))).toMatchObject({ reason: 'halted' })
  })
})
