/** Evidence in blocks: one record per kind, offender and height, a few per peer and window, judged alike by who builds and who votes. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { selectCommittee } from '../../../src/consensus/index.js'
import {
  addPeer,
  type EvidencePlace,
  evidenceFault,
  fixRoster,
  recordEvidence,
  rosterAt,
  validateRecords,
} from '../../../src/executor/index.js'
import { activateParameters, stageParameter } from '../../../src/executor/parameters.js'
import { EVIDENCE_HORIZON_BLOCKS } from '../../../src/executor/system-parameters.js'
import { FAULTS_PER_PEER_MAX, faultHeights, faults } from '../../../src/executor/tables.js'
import { BLS_SIGNATURE_BYTES, type Evidence } from '../../../src/model/index.js'
import { EMPTY_ROWS, Overlay, tableIdOf } from '../../../src/state/index.js'
import { type TestPeer, testPeer } from '../../support/chain.js'
import { seeded } from '../../support/seeded.js'

const CHAIN_HASH = Buffer.alloc(32, 1)
const SEED = Buffer.alloc(32, 3)
const HORIZON = EVIDENCE_HORIZON_BLOCKS.fallback

let members: TestPeer[]
let state: Overlay
beforeAll(async () => {
  members = await Promise.all(Array.from({ length: 4 }, (_, index) => testPeer(index)))
})
beforeEach(() => {
  state = new Overlay(EMPTY_ROWS)
  for (const { peer } of members) addPeer(state, peer, 1, 1)
  fixRoster(seeded(state, SEED), 1)
})

const place = (height: number): EvidencePlace & { view: number; timeMs: number } => ({
  chainHash: CHAIN_HASH,
  height,
  view: 0,
  timeMs: 1,
})
/** Two commit votes of a member for one view of a height. */
function doubleCommit(member: number, height: number, view = 0): Evidence {
  const roster = rosterAt(state, height)?.roster ?? []
  const committee = selectCommittee(roster, CHAIN_HASH, SEED, height)
  const index = committee.keys.indexOf(members[member]?.peer.key ?? '')
  const vote = (block: number) => ({
    phase: 'commit' as const,
    view,
    blockHash: Buffer.alloc(32, block),
    signature: Buffer.alloc(BLS_SIGNATURE_BYTES),
  })
  return { height, index, proof: { kind: 'doubleVote', value: { first: vote(1), second: vote(2) } } }
}
const admissible = (height: number, ...records: readonly Evidence[]): Evidence[] => {
  const results = validateRecords(state, place(height), records)
  return records.filter((_, index) => !('fault' in (results[index] ?? { fault: '' })))
}
const rows = (table: { readonly id: number }): number =>
  state.changes().filter(({ row }) => tableIdOf(row) === table.id).length

describe('a member that signs for any number of views', () => {
  it('can be proven guilty only once per height, in one block or across many', () => {
    const flood = Array.from({ length: 200 }, (_, view) => doubleCommit(1, 5, view))
    const taken = admissible(6, ...flood)
    expect(taken).toEqual([flood[0]])
    expect(evidenceFault(state, place(6), flood.slice(0, 2))).toBe('evidence 1: it is a duplicate')
    recordEvidence(state, place(6), taken)
    expect(admissible(7, ...flood)).toEqual([])
    expect(rows(faults)).toBe(1)
  })

  it('is recorded a bounded number of times per window, independent of others', () => {
    const flood = Array.from({ length: 3 * FAULTS_PER_PEER_MAX }, (_, index) => doubleCommit(1, index + 2))
    const height = flood.length + 2
    const taken = admissible(height, ...flood, doubleCommit(2, 5))
    expect(taken).toEqual([...flood.slice(0, FAULTS_PER_PEER_MAX), doubleCommit(2, 5)])
    expect(evidenceFault(state, place(height), flood)).toMatch(/^evidence 16: 16 faults of this peer/)
    recordEvidence(state, place(height), taken)
    expect(admissible(height + 1, ...flood)).toEqual([])
    expect(validateRecords(state, place(height + 1), flood.slice(-1))).toMatchObject([{ known: true }])
    expect(rows(faults)).toBe(FAULTS_PER_PEER_MAX + 1)
    expect(rows(faultHeights)).toBe(2)
  })

  it('can be proven guilty only at or after the height of its votes', () => {
    expect(validateRecords(state, place(9), [doubleCommit(1, 10)])).toMatchObject([{ early: true }])
    expect(admissible(10, doubleCommit(1, 10))).toHaveLength(1)
  })

  it('can be proven guilty again once its faults have left the window', () => {
    const flood = Array.from({ length: FAULTS_PER_PEER_MAX }, (_, index) => doubleCommit(1, index + 2))
    recordEvidence(state, place(20), flood)
    expect(admissible(30, doubleCommit(1, 25))).toEqual([])
    const later = 2 + HORIZON + 1
    expect(admissible(later, doubleCommit(1, later - 1))).toHaveLength(1)
    recordEvidence(state, place(later), [doubleCommit(1, later - 1)])
    const peer = members[1]?.peer.key ?? ''
    expect(state.get(faultHeights, peer)).toHaveLength(FAULTS_PER_PEER_MAX)
    expect(admissible(later, doubleCommit(1, later - 2))).toEqual([])
  })
})

it('evidence is validated by the window of its block, even if the block changes the window', () => {
  const old = doubleCommit(1, 5)
  stageParameter(state, EVIDENCE_HORIZON_BLOCKS, 10, 20)
  expect(evidenceFault(state, place(19), [old])).toBeUndefined()
  expect(evidenceFault(state, place(20), [old])).toContain('older than 10 blocks')
  stageParameter(state, EVIDENCE_HORIZON_BLOCKS, 100, 20)
  expect(evidenceFault(state, place(20), [old])).toBeUndefined()
  activateParameters(state, [EVIDENCE_HORIZON_BLOCKS as never], 20)
  recordEvidence(state, place(20), [old])
  expect(rows(faults)).toBe(1)
})

it('inadmissible evidence is never recorded', () => {
  expect(() => recordEvidence(state, place(6), [doubleCommit(1, 5), doubleCommit(1, 5, 1)])).toThrow('duplicate')
})
