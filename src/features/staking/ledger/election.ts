/** Owns the election of validators for the executor. */
import type { ValidatorElection } from '../../../executor/election.js'
import { STAKING_PARAMETERS } from '../schema/parameters.js'
import { firstElection } from './elections/first-election.js'
import { phaseTimes } from './epochs/calendar.js'
import { validatorDuties } from './epochs/duties.js'
import { epochFacts, seatsOf } from './epochs/facts.js'
import { electedPeers, rosterSource } from './epochs/roster-source.js'
import { prepareElection } from './epochs/settle.js'
import { cancelledModes, stagedModes } from './epochs/tables.js'
import { faultSink } from './slashing/slashes.js'
import { ONLY } from './table.js'

export const election: ValidatorElection = {
  rosterAt: rosterSource,
  first: firstElection,
  peers: electedPeers,
  onFault: faultSink,
  duties: validatorDuties,
  parameters: STAKING_PARAMETERS,
  epochFacts,
  seatsOf,
  cancelledMode: (state) => state.get(cancelledModes, ONLY),
  stagedMode: (state) => state.get(stagedModes, ONLY)?.mode,
  phaseTimes,
  prepare: prepareElection,
}
