/** Owns the tables of staking. */

import { elections, exposurePages, exposures, snapshotCandidates, snapshotVoters } from './elections/tables.js'
import { calendars, cancelledModes, epochs, headers, randomness, stagedModes, terms, uptimes } from './epochs/tables.js'
import { rewards } from './rewards/tables.js'
import { openSlashes, slashes, takenShares } from './slashing/tables.js'
import { pools, stakes } from './stake/tables.js'
import { candidatePages, listFloors, operators, peerValidators, validators, voterPages } from './validators/tables.js'

export const STAKING_TABLE_LIST = [
  pools,
  stakes,
  validators,
  candidatePages,
  voterPages,
  listFloors,
  snapshotCandidates,
  snapshotVoters,
  calendars,
  epochs,
  elections,
  exposures,
  exposurePages,
  randomness,
  slashes,
  terms,
  takenShares,
  openSlashes,
  uptimes,
  headers,
  operators,
  peerValidators,
  rewards,
  stagedModes,
  cancelledModes,
]
