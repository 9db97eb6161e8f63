/** Counts of instructions about calls: of transactions that were approved, also where a contract was called in them. */
import { expect, it } from 'vitest'
import type { IndexedBlock } from '../../../src/executor/reads.js'
import { conferenceIndexes } from '../../../src/features/conference/ledger/indexes.js'
import type { EntryOutcome, Instruction } from '../../../src/model/index.js'
import { sendSignal } from '../../support/conference.js'
import * as contract from '../../support/contracts.js'

const list: readonly Instruction[] = [sendSignal('hello'), contract.call(contract.alice, 'go')]
const called = (trap: number): EntryOutcome => ({
  kind: 'called',
  value: { trap, abortCode: 0, gasUsed: 7, output: Buffer.alloc(32), events: Buffer.alloc(32) },
})

/** Numbers that a block with these outcomes puts under its counts. */
function countsOf(...outcomes: readonly EntryOutcome[]): number[] {
  const entries = outcomes.map(() => ({ signed: { payload: { value: { executable: { value: list } } } } }))
  const results = outcomes.map((outcome) => ({ outcome }))
  const before = { hasRow: () => false, indexGet: () => undefined }
  const block = { height: 5, entries, results, events: [], rows: [], before } as unknown as IndexedBlock
  return (conferenceIndexes(block).put ?? []).map(([, value]) => Buffer.from(value).readUIntBE(0, 6))
}

it('a signal is counted in a completed contract call, but not in a trapped one', () => {
  expect(countsOf({ kind: 'approved', value: undefined })).toEqual([1])
  expect(countsOf(called(0), called(0))).toEqual([2])
  expect(countsOf(called(9))).toEqual([])
})
