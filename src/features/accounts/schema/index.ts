/** Accounts as clients see them. */

import { defineSchema } from '../../../api/feature.js'
import { ACCOUNT_ADMISSION, CORE_IDS } from '../../../model/index.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { onboardingRoute } from './onboarding.js'
import { queries } from './queries.js'
import * as routes from './routes.js'

export const accountSchema = defineSchema({
  name: 'accounts',
  abi: 'core',
  version: 1,
  ids: [CORE_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [ACCOUNT_ADMISSION],
  routes: {
    accounts: routes.accountsRoute,
    account: routes.accountRoute,
    onboarding: onboardingRoute,
    explorerAccounts: routes.explorerAccountsRoute,
    explorerAccount: routes.explorerAccountRoute,
  },
  topics: { 'ledger account': 'Accounts and their balances' },
})
