/** Owns an election without rules, for tests that add the one under test. */
import type { ValidatorElection } from '../../src/executor/election.js'

const nothing = (): undefined => undefined

export const EMPTY_ELECTION: ValidatorElection = {
  rosterAt: nothing,
  first: nothing,
  peers: { register: nothing, unregister: nothing, rotate: nothing, disable: nothing },
  onFault: nothing,
  duties: { dutyOf: nothing, isOwed: () => false },
  parameters: [],
  epochFacts: nothing,
  seatsOf: nothing,
  stagedMode: nothing,
  cancelledMode: nothing,
  phaseTimes: nothing,
  prepare: nothing,
}
