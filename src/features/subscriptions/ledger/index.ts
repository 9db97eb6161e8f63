/** Execution of plans and subscriptions (docs/concepts/subscriptions.md). */
import { defineLedger } from '../../../executor/feature.js'
import { subscriptionSchema } from '../schema/index.js'
import { chargeRun } from './charge.js'
import { subscriptionIndexes } from './indexes.js'
import { execute as lifecycle } from './lifecycle.js'
import { execute as plans } from './plans.js'
import * as queries from './queries.js'
import { SUBSCRIPTION_TABLES } from './tables.js'
import { execute as usage } from './usage.js'

export const subscriptionLedger = defineLedger(subscriptionSchema, {
  tables: SUBSCRIPTION_TABLES,
  execute: { ...plans, ...lifecycle, ...usage },
  queries: {
    subscriptionPlans: queries.plansQuery,
    subscriptions: queries.subscriptionsQuery,
    subscription: queries.subscriptionQuery,
    subscriptionInvoices: queries.invoicesQuery,
  },
  permissions: [],
  scheduled: [chargeRun],
  indexes: subscriptionIndexes,
})
