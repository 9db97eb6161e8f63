/** Execution of staking and elections (docs/concepts/staking.md). */
import { defineLedger } from '../../../executor/feature.js'
import { stakingSchema } from '../schema/index.js'
import { election } from './election.js'
import { stakingSimulationQuery } from './elections/simulation.js'
import * as duties from './epochs/duties.js'
import * as mode from './epochs/mode.js'
import { settleEpochs } from './epochs/settle.js'
import { genesisStaking } from './genesis.js'
import { stakingHistory, stakingIndexes } from './indexes.js'
import * as queries from './queries.js'
import * as rewards from './rewards/rewards.js'
import * as slashes from './slashing/slashes.js'
import { STAKING_PERMISSIONS, slashRun } from './slashing/slashes.js'
import * as nominations from './stake/nominations.js'
import * as stakes from './stake/stakes.js'
import { STAKING_TABLE_LIST } from './tables.js'
import * as validators from './validators/validators.js'

/** Units of the end of a block: the events of the calendar, and their triggers. */
const END_OF_BLOCK_TEU = 20_000

export const stakingLedger = defineLedger(stakingSchema, {
  tables: STAKING_TABLE_LIST,
  execute: {
    ...mode.execute,
    ...stakes.execute,
    ...nominations.execute,
    ...validators.execute,
    ...duties.execute,
    ...rewards.execute,
    ...slashes.execute,
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
