/** Owns the routes of plans and subscriptions, and their stream. */
import { word } from '../../../api/enum-text.js'
import { pageFields, pageParameters } from '../../../api/paging.js'
import { accountText } from '../../../api/query-inputs.js'
import { defineRoute, defineStream, publicRead } from '../../../api/route.js'
import { draft as draftRecord, draftRow } from '../../../api/schema/draft.js'
import { gap, startFields } from '../../../api/schema/stream.js'
import { sseOf } from '../../../api/streams.js'
import { hash32, type Infer, option, type Schema, struct, varint } from '../../../codec/index.js'
import { dataEvent } from '../../../model/index.js'
import { changes, instructions } from './instructions.js'
import { planName, subscriptionId } from './records.js'
import { invoicePage, planPage, queries, subscriptionPage, subscriptionView } from './views.js'

const BASE = '/v1/subscriptions'

/** Maximum size of a request, in bytes: a plan with four meters. */
const BODY_MAX_BYTES = 8 * 1024

/** Statuses as texts of parameters, with their names on the ledger. */
const STATUS_OF = {
  pending: 'pending',
  trialing: 'trialing',
  active: 'active',
  past_due: 'pastDue',
  suspended: 'suspended',
  paused: 'paused',
  canceled: 'canceled',
} as const
type StatusWord = keyof typeof STATUS_OF
const statusWord = word('SubscriptionStatusWord', Object.keys(STATUS_OF) as StatusWord[])

const subscriptionPath = struct('SubscriptionPath', { id: subscriptionId })
const absent = ({ params }: { readonly params: { readonly id: Uint8Array } }): string =>
  `subscription ${Buffer.from(params.id).toString('hex')} does not exist`

export const plansRoute = defineRoute({
  ...publicRead,
  id: 'subscriptions.plans',
  path: `${BASE}/plans`,
  summary: 'Plans by provider and name, optionally of one provider or name',
  query: struct('SubscriptionPlansParameters', {
    provider: option(accountText),
    plan: option(planName),
    ...pageFields,
  }),
  accounts: { provider: 'id' },
  errors: ['not_found'],
  response: planPage,
}).byPage(queries.subscriptionPlans, ({ query: { plan }, accounts: { provider } }) => ({ provider, plan }))

export const subscriptionsRoute = defineRoute({
  ...publicRead,
  id: 'subscriptions.list',
  path: BASE,
  tool: { name: 'subscriptions', about: 'Subscriptions of a provider or an account, with status and charges' },
  summary: 'Subscriptions by their ids, optionally of a provider, a subscriber or a status',
  query: struct('SubscriptionsParameters', {
    provider: option(accountText),
    ownedBy: option(accountText),
    status: option(statusWord),
    ...pageFields,
  }),
  accounts: { provider: 'id', ownedBy: 'id' },
  errors: ['not_found'],
  response: subscriptionPage,
}).byPage(queries.subscriptions, ({ query: { status }, accounts: { provider, ownedBy } }) => ({
  provider,
  ownedBy,
  status: status && STATUS_OF[status],
}))

export const subscriptionRoute = defineRoute({
  ...publicRead,
  id: 'subscriptions.show',
  path: `${BASE}/{id}`,
  summary:
    'A subscription with its plan, its open or last invoice, and whether its subscriber is entitled to the service',
  params: subscriptionPath,
  response: subscriptionView,
}).byQuery(queries.subscription, ({ params }) => ({ subscription: params.id }), absent)

export const invoicesRoute = defineRoute({
  ...publicRead,
  id: 'subscriptions.invoices',
  path: `${BASE}/{id}/invoices`,
  summary: 'Invoices of a subscription, newest first; a node that started from a snapshot lacks older ones',
  params: subscriptionPath,
  query: pageParameters,
  response: invoicePage,
}).byPage(queries.subscriptionInvoices, ({ params }) => ({ subscription: params.id }), absent)

/** Event of plans and subscriptions. */
export interface SubscriptionEvent extends Infer<typeof subscriptionEvent> {}
export const subscriptionEvent = struct('SubscriptionEvent', { height: varint, event: dataEvent })

export const eventStream = defineStream({
  ...publicRead,
  format: 'sse',
  id: 'subscriptions.events',
  path: `${BASE}/events`,
  summary: 'Events of plans and subscriptions as Server-Sent Events, of each block',
  query: struct('SubscriptionEventsParameters', {
    ...startFields,
    subscription: option(hash32),
    /** Provider or subscriber. */
    account: option(accountText),
  }),
  accounts: { account: 'id' },
  errors: ['not_found'],
  stream: sseOf({ 'subscription.event': subscriptionEvent, gap }),
})

const draft = { ...draftRow, method: 'POST', access: 'public', response: draftRecord } as const
const body = <T>(schema: Schema<T>) => ({ as: 'record', schema, maxBytes: BODY_MAX_BYTES }) as const

export const planDraftRoute = defineRoute({
  ...draft,
  id: 'subscriptions.plans.create',
  path: `${BASE}/plans`,
  summary: 'Draft a plan; its provider signs and submits it',
  body: body(instructions.createPlan.schema),
})
export const closeDraftRoute = defineRoute({
  ...draft,
  id: 'subscriptions.plans.close',
  path: `${BASE}/plans/close`,
  summary: 'Draft the closing of a plan to new subscribers; its provider signs and submits it',
  body: body(instructions.closePlan.schema),
})
export const subscribeDraftRoute = defineRoute({
  ...draft,
  id: 'subscriptions.create',
  path: BASE,
  summary: 'Draft a subscription to a plan; its subscriber signs and submits it',
  body: body(instructions.subscribe.schema),
})

/** Draft of a change of one subscription. */
const change = <B = undefined>(verb: string, summary: string, fields?: Schema<B>) =>
  defineRoute({
    ...draft,
    id: `subscriptions.drafts.${verb}`,
    path: `${BASE}/{id}/${verb}`,
    summary,
    params: subscriptionPath,
    ...(fields === undefined ? {} : { body: body(fields) }),
  })
export const approveDraftRoute = change('approve', 'Draft the approval of a subscription by its provider')
export const pauseDraftRoute = change('pause', 'Draft a pause; the unused part of the period becomes credit')
export const resumeDraftRoute = change('resume', 'Draft the end of a pause or suspension, with its charge')
export const keepDraftRoute = change('keep', 'Draft the withdrawal of a cancellation at the end of the period')
export const chargeDraftRoute = change('charge-now', 'Draft a charge that is due')
export const cancelDraftRoute = change(
  'cancel',
  'Draft a cancellation, at once or at the end of the period',
  struct('SubscriptionCancelDraft', changes.cancel),
)
export const usageDraftRoute = change(
  'usage',
  'Draft a record of usage by the provider or a meter',
  struct('SubscriptionUsageDraft', changes.usage),
)
export const changeDraftRoute = change(
  'change',
  'Draft a change of the plan or the mandate',
  struct('SubscriptionChangeDraft', changes.changePlan),
)
export const refundDraftRoute = change(
  'refund',
  'Draft a payment of credit to the subscriber',
  struct('SubscriptionRefundDraft', changes.refund),
)
