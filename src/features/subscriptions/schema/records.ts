/** Owns the records of plans and subscriptions: terms, mandates, invoices, bounds, ids. */

import {
  bool,
  enumOf,
  hash32,
  type Infer,
  list,
  numeric,
  option,
  refine,
  type Schema,
  string,
  struct,
  text,
  u8,
  u16,
  u32,
  unitEnum,
  varint,
  withDefaults,
} from '../../../codec/index.js'
import { hash } from '../../../crypto/index.js'
import { type AccountId, accountId, assetDefinitionId, range } from '../../../model/index.js'

export const SUBSCRIPTION_IDS = range(17)
/** Read indexes, by their numbers. */
export const SUBSCRIPTION_INDEXES = {
  byProvider: SUBSCRIPTION_IDS.first,
  bySubscriber: SUBSCRIPTION_IDS.first + 1,
  invoices: SUBSCRIPTION_IDS.first + 2,
} as const

export const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000
/** Maximum fixed period, trial, grace and retry delay: ten years, so that every due time can be scheduled. */
const DURATION_MAX_MS = 3_660 * DAY_MS
/** Maximum retry delays of a plan: one failed charge causes at most nine runs. */
export const RETRIES_MAX = 8
/** Maximum accounts, in addition to the provider, that may record usage; a plan is one row. */
const METERS_MAX = 4
/** Maximum length of a unit of usage, in bytes. */
const UNIT_MAX_BYTES = 16
/** Maximum length of the name of a plan, in bytes. */
const PLAN_NAME_MAX_BYTES = 64
/** Maximum length of a reference, in bytes, as in payment messages. */
const REFERENCE_MAX_BYTES = 35
/**
 * Maximum amount, price and quantity of a plan or a mandate, in units: products of two of them, with all fraction
 * digits, and sums of a few are still numerics.
 */
export const UNITS_MAX = 10n ** 36n

/** Names that are path segments and parts of `account/plan`. */
const NAME_PATTERN = '[A-Za-z0-9][A-Za-z0-9._-]*'
const nameText = (name: string, maxBytes: number): Schema<string> => {
  const form = new RegExp(`^${NAME_PATTERN}$`)
  const check = (value: string): string | undefined =>
    form.test(value)
      ? undefined
      : 'expected letters, digits, dots, hyphens and underscores, the first a letter or a digit'
  return text(name, maxBytes, check, `^${NAME_PATTERN}$`)
}
export const planName = nameText('SubscriptionPlanName', PLAN_NAME_MAX_BYTES)
/** Reference that distinguishes the subscriptions of one account to one plan. */
export const subscriptionReference = nameText('SubscriptionReference', REFERENCE_MAX_BYTES)

/** Plan by its provider and its name. */
export interface PlanKey extends Infer<typeof planKey> {}
export const planKey = struct('SubscriptionPlanKey', { provider: accountId, plan: planName })

/** Duration in ms between two bounds. */
const durationMs = (name: string, least: number): Schema<number> =>
  refine(
    varint,
    name,
    (ms) => (ms < least || ms > DURATION_MAX_MS ? `expected between ${least} and ${DURATION_MAX_MS} ms` : undefined),
    { minimum: least, maximum: DURATION_MAX_MS },
  )
const upToTenYears = durationMs('SubscriptionDuration', 0)
const retryDelay = durationMs('SubscriptionRetryDelay', MINUTE_MS)
/** Length of a period; periods, like charges, begin at full minutes. */
const periodMs = refine(durationMs('SubscriptionPeriodLength', MINUTE_MS), 'SubscriptionPeriodMs', (ms) =>
  ms % MINUTE_MS === 0 ? undefined : `expected full minutes: a multiple of ${MINUTE_MS} ms`,
)
const anchorDay = refine(
  u8,
  'SubscriptionAnchorDay',
  (day) => (day < 1 || day > 31 ? 'expected a day between 1 and 31' : undefined),
  { minimum: 1, maximum: 31 },
)
const timeOfDayMs = refine(
  u32,
  'SubscriptionAnchorTime',
  (ms) => (ms >= DAY_MS ? `expected less than ${DAY_MS} ms` : undefined),
  { maximum: DAY_MS - 1 },
)

/** Lengths of periods: from anchor to anchor of calendar months in UTC, or fixed. */
export type Cadence = Infer<typeof cadence_>
const cadence_ = enumOf('SubscriptionCadence', {
  monthly: [
    0,
    struct('SubscriptionMonths', {
      /** Day of the month, or the last day of a shorter month. */
      anchorDay,
      /** Time of that day, in ms. */
      timeMs: timeOfDayMs,
    }),
  ],
  fixed: [1, struct('SubscriptionPeriods', { periodMs })],
})

/** Price of usage. */
export interface UsagePrice extends Infer<typeof usagePrice_> {}
const usagePrice_ = struct('SubscriptionUsagePrice', {
  unit: string(UNIT_MAX_BYTES),
  unitPrice: numeric,
  /** Free quantity of each period. */
  included: numeric,
})

/** Terms of a plan; immutable. Fields with a default are optional in JSON. */
export interface PlanTerms extends Infer<typeof planTerms> {}
export const planTerms = withDefaults(
  struct('SubscriptionPlanTerms', {
    asset: assetDefinitionId,
    /** Price of a period. */
    fixed: option(numeric),
    usage: option(usagePrice_),
    cadence: cadence_,
    /** Time of a charge: at the start or at the end of a period. */
    billFor: unitEnum('SubscriptionBillFor', { next: 0, previous: 1 }),
    /** 0: no trial. */
    trialMs: upToTenYears,
    /** Delays between the attempts of a failing charge. */
    retries: list(retryDelay, RETRIES_MAX),
    /** Time after the due time of a charge during which a debtor is still entitled to the service. */
    graceMs: upToTenYears,
    /** Action after the last failed attempt. */
    exhausted: unitEnum('SubscriptionExhausted', { suspend: 0, cancel: 1 }),
    /** Accounts, in addition to the provider, that may record usage. */
    meters: list(accountId, METERS_MAX),
    /** True if the provider approves each subscription. */
    approval: bool,
  }),
  { bill_for: 'Next', trial_ms: 0, retries: [], grace_ms: 0, exhausted: 'Suspend', meters: [], approval: false },
)

/** Hash of the key and the terms of a plan, signed by subscribers. */
export const planHashOf = (key: PlanKey, terms: PlanTerms): Buffer =>
  hash('subscription-plan', planKey.encode(key), planTerms.encode(terms))

/** Id of the subscription of an account to a plan; it stays the same when the plan changes. */
export const subscriptionIdOf = (key: PlanKey, subscriber: AccountId, reference: string): Buffer =>
  hash('subscription', planKey.encode(key), accountId.encode(subscriber), Buffer.from(reference, 'utf8'))

/** Limits signed by a subscriber. */
export interface Mandate extends Infer<typeof mandate> {}
export const mandate = struct('SubscriptionMandate', {
  /** Maximum of one charge. */
  maxPerPeriod: numeric,
  /** Maximum total of all charges. */
  totalMax: option(numeric),
  /** Time at which the mandate ends. */
  untilMs: option(varint),
})

export type SubscriptionStatus = Infer<typeof subscriptionStatus>
export const subscriptionStatus = unitEnum('SubscriptionStatus', {
  pending: 0,
  trialing: 1,
  active: 2,
  pastDue: 3,
  suspended: 4,
  paused: 5,
  canceled: 6,
})

/** Invoice of a charge with its result. */
export interface Invoice extends Infer<typeof invoice> {}
export const invoice = struct('SubscriptionInvoice', {
  /** Number from 1, without gaps. */
  number: varint,
  /** Period of the invoice. */
  startMs: varint,
  endMs: varint,
  fixed: numeric,
  /** Usage since the previous invoice. */
  quantity: numeric,
  /** Price of the usage beyond the included quantity. */
  usage: numeric,
  /** Credit that reduces the amount. */
  credit: numeric,
  /** Amount to pay: fixed price and price of usage, less the credit. */
  amount: numeric,
  /** Number of earlier periods that are not charged, after an outage or a debt. */
  skipped: varint,
  /** Time at which it became due. */
  dueMs: varint,
  /** Number of failed attempts. */
  attempts: u8,
  /** Absent: the invoice is open. */
  paidMs: option(varint),
  /** Error number of the last attempt. */
  error: option(u16),
})

/** Period of a subscription with its price, paid at its start or owed at its end. */
export interface ServicePeriod extends Infer<typeof servicePeriod> {}
export const servicePeriod = struct('SubscriptionPeriod', { startMs: varint, endMs: varint, fixed: numeric })

/** Id of a subscription. */
export const subscriptionId = hash32
