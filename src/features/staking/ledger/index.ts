/** How stake elects validators (docs/concepts/staking.md). */
import { defineLedger } from '../../../executor/feature.js'
import { stakingSchema } from '../schema/index.js'
import { attestReady, commitRandomness, revealRandomness } from './duties.js'
import { election } from './election.js'
import { genesisStaking } from './genesis.js'
import { stakingHistory, stakingIndexes } from './indexes.js'
import { cancelMode, stageMode } from './mode.js'
import { nominateValidators } from './nominations.js'
import { STAKING_PERMISSIONS } from './permissions.js'
import * as queries from './queries.js'
import { fundStakingRewards, payoutStakingReward } from './rewards.js'
import { settleEpochs } from './settle.js'
import { stakingSimulationQuery } from './simulation.js'
import { cancelSlash, slashRun } from './slashes.js'
import { bondStake, rebondStake, unbondStake, withdrawStake } from './stakes.js'
import { STAKING_TABLE_LIST } from './tables.js'
import {
  chillValidator,
  registerValidator,
  rotateValidatorKey,
  unjailValidator,
  updateValidator,
} from './validators.js'

/** Units of the end of a block: the events of the calendar, and the triggers that they set off. */
const END_OF_BLOCK_TEU = 20_000

export const stakingLedger = defineLedger(stakingSchema, {
  tables: STAKING_TABLE_LIST,
  execute: {
    stageMode,
    bondStake,
    rebondStake,
    unbondStake,
    withdrawStake,
    nominateValidators,
    registerValidator,
    updateValidator,
    rotateValidatorKey,
    chillValidator,
    unjailValidator,
    attestReady,
    commitRandomness,
    revealRandomness,
    payoutStakingReward,
    fundStakingRewards,
    cancelSlash,
    cancelMode,
  },
  queries: {
    stakingStatus: queries.stakingStatusQuery,
    stakingValidators: queries.stakingValidatorsQuery,
    stakingValidator: queries.stakingValidatorQuery,
    stakingStake: queries.stakingStakeQuery,
    stakingEpoch: queries.stakingEpochQuery,
    stakingElection: queries.stakingElectionQuery,
    stakingRandomness: queries.stakingRandomnessQuery,
    stakingRewards: queries.stakingRewardsQuery,
    stakingSlashes: queries.stakingSlashesQuery,
    stakingHistory: queries.stakingHistoryQuery,
    stakingSimulation: stakingSimulationQuery,
    stakingDuty: queries.stakingDutyQuery,
  },
  permissions: Object.values(STAKING_PERMISSIONS),
  scheduled: [slashRun],
  endOfBlock: { maxTeu: END_OF_BLOCK_TEU, settle: settleEpochs },
  policies: { election },
  genesis: genesisStaking,
  indexes: stakingIndexes,
  history: stakingHistory,
})
