/** Owns the routes of staking (specification 4.3, public lanes). */

import { pageFields, pageParameters } from '../../../api/paging.js'
import { accountPath, accountText } from '../../../api/query-inputs.js'
import { defineRoute, publicRead } from '../../../api/route.js'
import { option, struct, varint } from '../../../codec/index.js'
import * as views from './views.js'
import { queries } from './views.js'

const LANE = '/v1/lanes/public-lanes/0'

const ofAccount_ = struct('StakingListParameters', { account: option(accountText), ...pageFields })
const epochParameters_ = struct('StakingEpochParameters', { epoch: option(varint) })

export const stakingRoute = defineRoute({
  ...publicRead,
  id: 'staking.stake',
  path: `${LANE}/stake`,
  summary: 'Total stake, candidates, voters and the current epoch',
  response: views.statusView,
}).byQuery(queries.stakingStatus, () => ({}))
export const validatorsRoute = defineRoute({
  ...publicRead,
  id: 'staking.validators',
  path: `${LANE}/validators`,
  summary: 'Validators with their bonds, seats and exposures, in the order of their accounts',
  query: pageParameters,
  response: views.validatorPage,
}).byPage(queries.stakingValidators)
export const validatorRoute = defineRoute({
  ...publicRead,
  id: 'staking.validator',
  path: `${LANE}/validators/{id}`,
  summary: 'A validator by its address or alias',
  params: accountPath,
  accounts: { id: 'id' },
  response: views.validatorView,
}).byQuery(
  queries.stakingValidator,
  ({ accounts }) => ({ account: accounts.id }),
  ({ params }) => `${params.id} is not a validator`,
)
export const epochRoute = defineRoute({
  ...publicRead,
  id: 'staking.epoch',
  path: `${LANE}/epoch`,
  summary: 'The current epoch, or a given one: its calendar, seats, elections, randomness',
  query: epochParameters_,
  errors: ['not_found'],
  response: views.epochView,
}).byQuery(
  queries.stakingEpoch,
  ({ query }) => ({ epoch: query.epoch }),
  () => 'the epoch does not exist, or is no longer stored',
)
export const rewardsRoute = defineRoute({
  ...publicRead,
  id: 'staking.rewards.pending',
  path: `${LANE}/rewards/pending`,
  summary: 'Rewards with unpaid pages, optionally of one validator',
  query: ofAccount_,
  accounts: { account: 'id' },
  errors: ['not_found'],
  response: views.rewardPage,
}).byPage(queries.stakingRewards, ({ accounts }) => accounts)
export const slashesRoute = defineRoute({
  ...publicRead,
  id: 'staking.slashes',
  path: `${LANE}/slashes`,
  summary: 'Slashes, newest first, optionally of one validator',
  query: ofAccount_,
  accounts: { account: 'id' },
  errors: ['not_found'],
  response: views.slashPage,
}).byPage(queries.stakingSlashes, ({ accounts }) => accounts)
export const simulateRoute = defineRoute({
  ...publicRead,
  id: 'staking.simulate',
  path: `${LANE}/simulate`,
  summary: 'The result of an election on the current state, and the effect of a nomination on it',
  query: views.simulationParameters,
  accounts: { account: 'id' },
  errors: ['not_found'],
  response: views.simulationView,
})
export const accountStakeRoute = defineRoute({
  ...publicRead,
  id: 'staking.account',
  path: '/v1/accounts/{id}/stake',
  summary:
    'Stake of an account: its amounts, nominations and withdrawals; idle: it backs no validator, even if larger stakes displaced it',
  params: accountPath,
  accounts: { id: 'id' },
  response: views.stakeView,
}).byQuery(
  queries.stakingStake,
  ({ accounts }) => ({ account: accounts.id }),
  ({ params }) => `${params.id} has no stake`,
)
export const stakeHistoryRoute = defineRoute({
  ...publicRead,
  id: 'staking.account.history',
  path: '/v1/accounts/{id}/stake/history',
  summary: 'Stake history of an account, newest first: bonds, payouts, withdrawals, slashes',
  params: accountPath,
  accounts: { id: 'id' },
  query: pageParameters,
  response: views.historyPage,
}).byPage(queries.stakingHistory, ({ accounts }) => ({ account: accounts.id }))
