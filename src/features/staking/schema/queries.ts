/** Owns the queries of staking: one for each record, and what an election would be now. */
import { none } from '../../../api/query-inputs.js'
import { defineQueries } from '../../../model/index.js'
import { election } from './records.js'
import * as views from './views.js'

export const queries = defineQueries({
  stakingStatus: { id: 609, input: none, output: views.statusView },
  stakingValidators: { id: 600, input: views.validatorsQuery, output: views.validatorPage },
  stakingValidator: { id: 601, input: views.accountQuery, output: views.validatorView },
  stakingStake: { id: 602, input: views.accountQuery, output: views.stakeView },
  stakingEpoch: { id: 603, input: views.epochQuery, output: views.epochView },
  stakingElection: { id: 604, input: views.electionQuery, output: election },
  stakingRandomness: { id: 607, input: views.electionQuery, output: views.randomnessView },
  stakingRewards: { id: 605, input: views.rewardsQuery, output: views.rewardPage },
  stakingSlashes: { id: 606, input: views.slashesQuery, output: views.slashPage },
  stakingHistory: { id: 608, input: views.historyQuery, output: views.historyPage },
  stakingDuty: { id: 611, input: views.accountQuery, output: views.dutyView },
  stakingSimulation: { id: 610, input: views.simulationQuery, output: views.simulationView, isTrial: true },
})
