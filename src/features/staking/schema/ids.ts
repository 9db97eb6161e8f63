/** Owns the ids of staking: feature 4, 600 to 699, and the instruction that the core kept for it. Append only. */
import { type IdRange, range } from '../../../model/index.js'

export const STAKING_IDS = range(4)
const BASE = STAKING_IDS.first
/** Id of the core's instructions that waited for elections. */
const STAGE_MODE = 30
export const STAGE_MODE_IDS: IdRange = { first: STAGE_MODE, last: STAGE_MODE }

export const STAKING_INSTRUCTIONS = {
  stageMode: STAGE_MODE,
  bondStake: BASE,
  rebondStake: BASE + 1,
  unbondStake: BASE + 2,
  withdrawStake: BASE + 3,
  nominateValidators: BASE + 4,
  registerValidator: BASE + 5,
  updateValidator: BASE + 6,
  rotateValidatorKey: BASE + 7,
  chillValidator: BASE + 8,
  unjailValidator: BASE + 9,
  attestReady: BASE + 10,
  commitRandomness: BASE + 11,
  revealRandomness: BASE + 12,
  payoutStakingReward: BASE + 13,
  fundStakingRewards: BASE + 14,
  cancelSlash: BASE + 15,
  cancelMode: BASE + 16,
} as const
export const STAKING_TABLES = {
  pool: BASE,
  stake: BASE + 1,
  validator: BASE + 2,
  candidatePage: BASE + 3,
  voterPage: BASE + 4,
  snapshotCandidates: BASE + 5,
  snapshotVoters: BASE + 6,
  calendar: BASE + 7,
  epoch: BASE + 8,
  election: BASE + 9,
  exposure: BASE + 10,
  exposurePage: BASE + 11,
  randomness: BASE + 12,
  slash: BASE + 13,
  term: BASE + 14,
  taken: BASE + 15,
  openSlashes: BASE + 16,
  uptime: BASE + 17,
  header: BASE + 18,
  operator: BASE + 19,
  peer: BASE + 20,
  reward: BASE + 21,
  mode: BASE + 22,
  listFloors: BASE + 23,
} as const
export const STAKING_EVENTS = {
  stakeChanged: BASE,
  stakeNominated: BASE + 1,
  stakingValidatorChanged: BASE + 2,
  stakingElected: BASE + 3,
  stakingElectionKept: BASE + 4,
  stakingEpochStarted: BASE + 5,
  stakingRewardsEarned: BASE + 6,
  stakingRewardPaid: BASE + 7,
  stakingRewardsFunded: BASE + 8,
  stakingSlashChanged: BASE + 9,
  stakeSlashed: BASE + 10,
  stakingModeStaged: BASE + 11,
  stakingModeSwitched: BASE + 12,
  stakingModeSwitchCancelled: BASE + 13,
} as const
export const STAKING_QUERIES = {
  stakingValidators: BASE,
  stakingValidator: BASE + 1,
  stakingStake: BASE + 2,
  stakingEpoch: BASE + 3,
  stakingElection: BASE + 4,
  stakingRewards: BASE + 5,
  stakingSlashes: BASE + 6,
  stakingRandomness: BASE + 7,
  stakingHistory: BASE + 8,
  stakingStatus: BASE + 9,
  stakingSimulation: BASE + 10,
  stakingDuty: BASE + 11,
} as const
