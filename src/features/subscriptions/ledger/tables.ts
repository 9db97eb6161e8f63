/** Owns the tables of plans and subscriptions. */
import { bool, bytes, type Infer, numeric, option, struct, u8, varint } from '../../../codec/index.js'
import { accountId, incarnation } from '../../../model/index.js'
import type { TableDef } from '../../../state/index.js'
import {
  invoice,
  mandate,
  type PlanKey,
  planKey,
  planTerms,
  servicePeriod,
  subscriptionId,
  subscriptionReference,
  subscriptionStatus,
} from '../schema/records.js'

/** Plan row; only `isOpen` changes. */
export interface PlanRow extends Infer<typeof planRow_> {}
const planRow_ = struct('SubscriptionPlanRow', {
  terms: planTerms,
  /** Fraction digits of charges, equal to those of the asset. */
  scale: u8,
  /** Registration of the asset; a later definition with the same id is not charged. */
  assetIncarnation: incarnation,
  /** An open plan counts as an object of its provider. */
  isOpen: bool,
})
export const plans: TableDef<PlanKey, PlanRow> = {
  id: 1900,
  name: 'plan',
  bound: { holds: 'the terms of one plan', filledBy: 'CreatePlan', atBound: 'the decoder refuses more; it stays' },
  key: planKey,
  value: planRow_,
}

/** Subscription row; it counts as an object of its subscriber and of its provider until it is canceled. */
export interface SubscriptionRow extends Infer<typeof subscriptionRow_> {}
const subscriptionRow_ = struct('SubscriptionRow', {
  plan: planKey,
  subscriber: accountId,
  reference: subscriptionReference,
  mandate,
  status: subscriptionStatus,
  period: servicePeriod,
  /** Time from which it can be charged; absent: its status has no charge. */
  dueMs: option(varint),
  /** Number of failed attempts of the open invoice. */
  attempt: u8,
  /** Usage that is not invoiced. */
  usage: numeric,
  /** Sequence of the last usage. */
  sequence: varint,
  /** Credit of the subscriber, for later charges or a refund. */
  credit: numeric,
  cancelAtEnd: bool,
  /** Unpaid invoice. */
  open: option(invoice),
  /** Last paid invoice; older ones are in a read index. */
  last: option(invoice),
  /** Number of paid invoices. */
  counter: varint,
  /** Sum of all payments. */
  spent: numeric,
})
export const subscriptions: TableDef<Uint8Array, SubscriptionRow> = {
  id: 1901,
  name: 'subscription',
  bound: { holds: 'one subscription', filledBy: 'Subscribe', atBound: 'its id is never used again; it stays' },
  key: subscriptionId,
  value: subscriptionRow_,
}

/** Parties of a trial. */
export interface TrialKey extends Infer<typeof trialKey_> {}
const trialKey_ = struct('SubscriptionTrialKey', { provider: accountId, subscriber: accountId })
/**
 * Trials that accounts used. A marker remains after its accounts are removed, so that an account that is registered
 * again does not get a second trial.
 */
export const trialUsed: TableDef<TrialKey, Uint8Array> = {
  id: 1902,
  name: 'trial_used',
  bound: {
    holds: 'a marker',
    filledBy: 'Subscribe, ApproveSubscription',
    atBound: 'one for each subscriber of a provider',
  },
  key: trialKey_,
  value: bytes(0),
}
/** Value of a marker. */
export const MARK = new Uint8Array()

export const SUBSCRIPTION_TABLES = [plans, subscriptions, trialUsed]
