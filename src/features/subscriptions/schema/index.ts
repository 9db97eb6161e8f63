/** Plans and subscriptions as clients see them. */
import { defineSchema } from '../../../api/feature.js'
import { errors } from './errors.js'
import { events } from './events.js'
import { instructions } from './instructions.js'
import { SUBSCRIPTION_IDS } from './records.js'
import * as routes from './routes.js'
import { queries } from './views.js'

export const subscriptionSchema = defineSchema({
  name: 'subscriptions',
  since: 2,
  version: 1,
  ids: [SUBSCRIPTION_IDS],
  errors,
  instructions,
  events,
  queries,
  parameters: [],
  routes: {
    plans: routes.plansRoute,
    list: routes.subscriptionsRoute,
    show: routes.subscriptionRoute,
    invoices: routes.invoicesRoute,
    events: routes.eventStream,
    planDraft: routes.planDraftRoute,
    closeDraft: routes.closeDraftRoute,
    subscribeDraft: routes.subscribeDraftRoute,
    approveDraft: routes.approveDraftRoute,
    pauseDraft: routes.pauseDraftRoute,
    resumeDraft: routes.resumeDraftRoute,
    cancelDraft: routes.cancelDraftRoute,
    keepDraft: routes.keepDraftRoute,
    usageDraft: routes.usageDraftRoute,
    chargeDraft: routes.chargeDraftRoute,
    changeDraft: routes.changeDraftRoute,
    refundDraft: routes.refundDraftRoute,
  },
  topics: {
    subscription: 'Subscriptions: mandates, charges, usage, credit',
    'subscription plan': 'Plans that accounts subscribe to',
  },
})
