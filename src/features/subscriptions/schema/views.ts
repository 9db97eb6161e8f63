/** Owns the queries of plans and subscriptions and their views. */

import { accountOfCursor } from '../../../api/cursors.js'
import { pageOf } from '../../../api/paging.js'
import { pageQueryFields } from '../../../api/query-inputs.js'
import {
  bool,
  hash32,
  type Infer,
  numeric,
  omissible,
  option,
  string,
  struct,
  text,
  u8,
  varint,
} from '../../../codec/index.js'
import { accountId, defineQueries } from '../../../model/index.js'
import {
  invoice,
  mandate,
  type PlanKey,
  planName,
  planTerms,
  servicePeriod,
  subscriptionId,
  subscriptionReference,
  subscriptionStatus,
} from './records.js'

/** Maximum length of an error name, in bytes. */
const ERROR_NAME_MAX_BYTES = 64

export interface PlanView extends Infer<typeof planView> {}
export const planView = struct('SubscriptionPlanView', {
  provider: accountId,
  plan: planName,
  planHash: hash32,
  isOpen: bool,
  terms: planTerms,
  /** Free due runs in the hour of the next charge of a new subscriber; present only in lists that name a plan. */
  chargesLeft: omissible(varint),
})
export const planPage = pageOf('SubscriptionPlanPage', planView)

export interface InvoiceView extends Infer<typeof invoiceView> {}
export const invoiceView = struct('SubscriptionInvoiceView', {
  invoice,
  /** Error code of the last attempt. */
  reason: omissible(string(ERROR_NAME_MAX_BYTES)),
})
export const invoicePage = pageOf('SubscriptionInvoicePage', invoiceView)

const subscriptionFields = {
  id: subscriptionId,
  provider: accountId,
  plan: planName,
  subscriber: accountId,
  reference: subscriptionReference,
  status: subscriptionStatus,
  mandate,
  period: servicePeriod,
  /** Time from which it can be charged; absent: its status has no charge. */
  dueMs: option(varint),
  /** Minute of its due run; absent: no run is scheduled. */
  runMs: option(varint),
  attempt: u8,
  usage: numeric,
  sequence: varint,
  credit: numeric,
  cancelAtEnd: bool,
  /** Number of paid invoices, and their sum. */
  counter: varint,
  spent: numeric,
}
/** Subscription in a list. */
export interface SubscriptionItem extends Infer<typeof subscriptionItem_> {}
const subscriptionItem_ = struct('SubscriptionItem', { ...subscriptionFields, entitled: bool })
export const subscriptionPage = pageOf('SubscriptionPage', subscriptionItem_)

export interface SubscriptionView extends Infer<typeof subscriptionView> {}
export const subscriptionView = struct('SubscriptionView', {
  subscription: struct('SubscriptionState', subscriptionFields),
  /** The open invoice, or the last paid one. */
  invoice: option(invoiceView),
  plan: planView,
  /** True if the subscriber may use the service: in a trial, active, or past due within the grace. */
  entitled: bool,
  height: varint,
})

/** Maximum length of a position in the list of plans: an address, a slash and a name. */
const PLAN_PLACE_MAX_BYTES = 155
/** Plan at a position; undefined if malformed. */
export function planOfCursor(place: string): PlanKey | undefined {
  const slash = place.indexOf('/')
  const provider = accountOfCursor(place.slice(0, Math.max(0, slash)))
  const plan = planName.fromJson(place.slice(slash + 1))
  return provider === undefined || !plan.ok ? undefined : { provider, plan: plan.value }
}
const planPlace = text('SubscriptionPlanPlace', PLAN_PLACE_MAX_BYTES, (place) =>
  planOfCursor(place) === undefined ? 'a cursor of this list is written provider/plan' : undefined,
)
const idPlace = text('SubscriptionPlace', 64, (place) =>
  /^[0-9a-f]{64}$/.test(place) ? undefined : 'a cursor of this list is the id of a subscription',
)
const numberPlace = text('SubscriptionInvoicePlace', 16, (place) =>
  /^[1-9][0-9]{0,13}$/.test(place) ? undefined : 'a cursor of this list is the number of an invoice',
)

export interface PlansQuery extends Infer<typeof plansQuery_> {}
const plansQuery_ = struct('SubscriptionPlansQuery', {
  provider: option(accountId),
  plan: option(planName),
  ...pageQueryFields(planPlace),
})
export interface SubscriptionsQuery extends Infer<typeof subscriptionsQuery_> {}
const subscriptionsQuery_ = struct('SubscriptionsQuery', {
  provider: option(accountId),
  /** Account of the subscriber. */
  ownedBy: option(accountId),
  status: option(subscriptionStatus),
  ...pageQueryFields(idPlace),
})
export interface SubscriptionQuery extends Infer<typeof subscriptionQuery_> {}
const subscriptionQuery_ = struct('SubscriptionQuery', { subscription: subscriptionId })
export interface InvoicesQuery extends Infer<typeof invoicesQuery_> {}
const invoicesQuery_ = struct('SubscriptionInvoicesQuery', {
  subscription: subscriptionId,
  ...pageQueryFields(numberPlace),
})

export const queries = defineQueries({
  subscriptionPlans: { id: 1900, input: plansQuery_, output: planPage },
  subscriptions: { id: 1901, input: subscriptionsQuery_, output: subscriptionPage },
  subscription: { id: 1902, input: subscriptionQuery_, output: subscriptionView },
  subscriptionInvoices: { id: 1903, input: invoicesQuery_, output: invoicePage },
})
