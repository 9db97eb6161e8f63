/** How stake elects validators (docs/concepts/staking.md). */
import { defineLedger } from '../../../executor/feature.js'
import { stakingSchema } from '../schema/index.js'
import * as duties from './duties.js'
import { dutiesWithoutFee } from './duties.js'
import { electionsShown, epochFacts } from './epoch-facts.js'
import { firstElection } from './first-election.js'
import { genesisStaking } from './genesis.js'
import { stakingHistory, stakingIndexes } from './indexes.js'
import * as mode from './mode.js'
import * as nominations from './nominations.js'
import { STAKING_PERMISSIONS } from './permissions.js'
import * as queries from './queries.js'
import * as rewards from './rewards.js'
import { electedPeers, rosterSource } from './roster-source.js'
import { prepareElection, settleEpochs } from './settle.js'
import { stakingSimulationQuery } from './simulation.js'
import * as slashes from './slashes.js'
import { faultSink, slashRun } from './slashes.js'
import * as stakes from './stakes.js'
import { ONLY, STAKING_TABLE_LIST, stagedModes } from './tables.js'
import { phaseTimes } from './timeouts.js'
import * as validators from './validators.js'

/** Units of the end of a block: the events of the calendar, and the triggers that they set off. */
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
  policies: {
    rosterSource,
    firstElection,
    electedPeers,
    faultSink,
    feeExempt: dutiesWithoutFee,
    epochFacts,
    elections: electionsShown,
    stagedMode: (state) => state.get(stagedModes, ONLY)?.mode,
    phaseTimes,
    prepare: prepareElection,
  },
  genesis: genesisStaking,
  indexes: stakingIndexes,
  history: stakingHistory,
})
