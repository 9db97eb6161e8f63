/** Staking as clients see it. */

import { defineSchema } from '../../../api/feature.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { STAKING_PARAMETERS } from './parameters.js'
import { STAGE_MODE_IDS, STAKING_IDS } from './records.js'
import * as routes from './routes.js'
import { queries } from './views.js'

export const stakingSchema = defineSchema({
  name: 'staking',
  since: 2,
  version: 1,
  ids: [STAKING_IDS, STAGE_MODE_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: STAKING_PARAMETERS,
  routes: {
    stake: routes.stakingRoute,
    validators: routes.validatorsRoute,
    validator: routes.validatorRoute,
    epoch: routes.epochRoute,
    pendingRewards: routes.rewardsRoute,
    slashes: routes.slashesRoute,
    simulate: routes.simulateRoute,
    accountStake: routes.accountStakeRoute,
    stakeHistory: routes.stakeHistoryRoute,
  },
  topics: {
    staking: 'Stake: bonds, validators, nominations, rewards, slashes',
    'staking slash': 'Slashes of faulty validators',
    'consensus mode': 'Whether validators are registered or elected',
  },
})
