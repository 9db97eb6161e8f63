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

/** A plan; only `isOpen` changes. */
export interface PlanRow extends Infer<typeof planRow_> {}
const planRow_ = struct('SubscriptionPlanRow', {
  terms: planTerms,
  /** Fraction digits of charges: those of the asset. */
  scale: u8,
  /** Another definition with the id of the asset is not charged. */
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

/** A subscription; it counts as an object of its subscriber and of its provider until it is canceled. */
export interface SubscriptionRow extends Infer<typeof subscriptionRow_> {}
const subscriptionRow_ = struct('SubscriptionRow', {
  plan: planKey,
  subscriber: accountId,
  reference: subscriptionReference,
  mandate,
  status: subscriptionStatus,
  period: servicePeriod,
  /** First time at which it can be charged; absent: it is not charged in its status. */
  dueMs: option(varint),
  /** Attempts of the open invoice that failed. */
  attempt: u8,
  /** Usage that no invoice has. */
  usage: numeric,
  /** Sequence of the last usage. */
  sequence: varint,
  /** What the provider owes: later charges use it, or it is refunded. */
  credit: numeric,
  cancelAtEnd: bool,
  /** Invoice that is not paid. */
  open: option(invoice),
  /** The last one that was paid; older ones are in a read index. */
  last: option(invoice),
  /** Invoices that were paid. */
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
 * Trials that accounts used. A marker outlives its accounts: the id of an account is the hash of its key, and one that is
 * registered again has had its trial.
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
