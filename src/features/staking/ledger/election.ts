/** Owns the election of validators as the executor asks it. */
import type { ValidatorElection } from '../../../executor/election.js'
import { STAKING_PARAMETERS } from '../schema/parameters.js'
import { validatorDuties } from './duties.js'
import { epochFacts, seatsOf } from './epoch-facts.js'
import { firstElection } from './first-election.js'
import { electedPeers, rosterSource } from './roster-source.js'
import { prepareElection } from './settle.js'
import { faultSink } from './slashes.js'
import { ONLY, stagedModes } from './tables.js'
import { phaseTimes } from './timeouts.js'

export const election: ValidatorElection = {
  rosterAt: rosterSource,
  first: firstElection,
  peers: electedPeers,
  onFault: faultSink,
  duties: validatorDuties,
  parameters: STAKING_PARAMETERS,
  epochFacts,
  seatsOf,
  stagedMode: (state) => state.get(stagedModes, ONLY)?.mode,
  phaseTimes,
  prepare: prepareElection,
}
