/** Owns the queries of staking: one for each record, and what an election would be now. */
import { none } from '../../../api/query-inputs.js'
import { defineQuery, trialQuery } from '../../../model/index.js'
import { STAKING_QUERIES as ID } from './ids.js'
import { election } from './records.js'
import * as views from './views.js'

export const stakingStatus = defineQuery(ID.stakingStatus, 'stakingStatus', none, views.statusView)
export const stakingValidators = defineQuery(
  ID.stakingValidators,
  'stakingValidators',
  views.validatorsQuery,
  views.validatorPage,
)
export const stakingValidator = defineQuery(
  ID.stakingValidator,
  'stakingValidator',
  views.accountQuery,
  views.validatorView,
)
export const stakingStake = defineQuery(ID.stakingStake, 'stakingStake', views.accountQuery, views.stakeView)
export const stakingEpoch = defineQuery(ID.stakingEpoch, 'stakingEpoch', views.epochQuery, views.epochView)
export const stakingElection = defineQuery(ID.stakingElection, 'stakingElection', views.electionQuery, election)
export const stakingRandomness = defineQuery(
  ID.stakingRandomness,
  'stakingRandomness',
  views.electionQuery,
  views.randomnessView,
)
export const stakingRewards = defineQuery(ID.stakingRewards, 'stakingRewards', views.rewardsQuery, views.rewardPage)
export const stakingSlashes = defineQuery(ID.stakingSlashes, 'stakingSlashes', views.slashesQuery, views.slashPage)
export const stakingHistory = defineQuery(ID.stakingHistory, 'stakingHistory', views.historyQuery, views.historyPage)
export const stakingDuty = defineQuery(ID.stakingDuty, 'stakingDuty', views.accountQuery, views.dutyView)
export const stakingSimulation = trialQuery(
  defineQuery(ID.stakingSimulation, 'stakingSimulation', views.simulationQuery, views.simulationView),
)
