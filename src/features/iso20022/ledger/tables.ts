/** Owns the tables of the bridge on the ledger: submitters, claims. */
import { hash32, type Infer, list, numeric, struct, varint } from '../../../codec/index.js'
import { type AccountId, accountId, assetDefinitionId, type Incarnation, incarnation } from '../../../model/index.js'
import type { TableDef } from '../../../state/index.js'
import { ISO_TABLES } from '../schema/ids.js'
import { bic, debtors, type RefusedPayment, submitterLimits, uetrText } from '../schema/instructions.js'
import {
  type Claim,
  claim,
  type MessageHead,
  messageHead,
  type PaymentOutcome,
  paymentOutcome,
  refusedPayments,
} from '../schema/messages.js'

export interface Submitter extends Infer<typeof submitter> {}
const submitter = struct('Submitter', {
  /** Empty: any BIC. */
  bics: list(bic, 64),
  debtor: debtors,
  limits: submitterLimits,
})
export const submitters: TableDef<AccountId, Submitter> = {
  id: ISO_TABLES.submitters,
  name: 'iso_submitters',
  bound: { holds: '64 BICs, 400 debtors, 32 limits', filledBy: 'SetSubmitter', atBound: 'the decoder refuses more' },
  key: accountId,
  value: submitter,
}

/** Time at which the row was set; absent under the rules of ABI 1, which do not check its age. */
export const submitterTimes: TableDef<AccountId, Incarnation> = {
  id: ISO_TABLES.submitterTimes,
  name: 'iso_submitter_times',
  bound: { holds: 'a place in a block', filledBy: 'SetSubmitter', atBound: 'one a submitter' },
  key: accountId,
  value: incarnation,
}

/** Key of the usage of a submitter in one definition. */
export interface UsageKey extends Infer<typeof usageKey_> {}
/** Amount paid within one UTC day. */
export interface Usage extends Infer<typeof usage_> {}
const usageKey_ = struct('SubmitterUsageKey', { submitter: accountId, definition: assetDefinitionId })
const usage_ = struct('SubmitterUsage', {
  /** Days since the Unix epoch. */
  day: varint,
  spent: numeric,
})
export const usage: TableDef<UsageKey, Usage> = {
  id: ISO_TABLES.usage,
  name: 'iso_usage',
  bound: { holds: 'an amount and its day', filledBy: 'payments of submitters', atBound: 'a new day begins at zero' },
  key: usageKey_,
  value: usage_,
}

/** Paid messages; never pruned, so that no id pays twice and every node knows its status. */
export const claims: TableDef<Uint8Array, Claim> = {
  id: ISO_TABLES.claims,
  name: 'iso_claims',
  bound: { holds: 'one message', filledBy: 'ClaimMessage', atBound: 'stays: no message is paid twice' },
  key: hash32,
  value: claim,
}

/** Messages of several payments, by the key of their claim. */
export const heads: TableDef<Uint8Array, MessageHead> = {
  id: ISO_TABLES.heads,
  name: 'iso_heads',
  bound: { holds: 'one message', filledBy: 'SettlePayments', atBound: 'stays: no message is paid twice' },
  key: hash32,
  value: messageHead,
}

/** Payments of a message that the first gateway refused, by the key of its claim; absent: none. */
export const headRefusals: TableDef<Uint8Array, readonly RefusedPayment[]> = {
  id: ISO_TABLES.headRefusals,
  name: 'iso_head_refusals',
  bound: { holds: '1,000 places with reasons', filledBy: 'SettlePayments', atBound: 'stays with its message' },
  key: hash32,
  value: refusedPayments,
}

/**
 * Payments of messages with several payments, made or rejected, and rejected payments of messages with one payment.
 * Keyed by `paymentKey`.
 */
export const payments: TableDef<Uint8Array, PaymentOutcome> = {
  id: ISO_TABLES.payments,
  name: 'iso_payments',
  bound: {
    holds: 'one payment',
    filledBy: 'SettlePayments',
    atBound: 'stays: no payment is made twice; the rejection of an only payment leaves when it is paid',
  },
  key: hash32,
  value: paymentOutcome,
}

/** Key of a payment by its UETR. */
export interface UetrKey extends Infer<typeof uetrKey_> {}
const uetrKey_ = struct('SubmitterUetrKey', { submitter: accountId, uetr: uetrText })
/** Key of the payment that used a UETR. */
export const uetrs: TableDef<UetrKey, Uint8Array> = {
  id: ISO_TABLES.uetrs,
  name: 'iso_uetrs',
  bound: { holds: 'one payment', filledBy: 'payments of submitters', atBound: 'stays: one payment a UETR' },
  key: uetrKey_,
  value: hash32,
}
