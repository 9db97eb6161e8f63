/** Owns the records of the list of payments: messages of ISO 20022 with the transfers that they became. */
import { historyCursor } from '../../../api/cursors.js'
import { type Page, pageFields, pageOf } from '../../../api/paging.js'
import { accountText, pageQueryFields } from '../../../api/query-inputs.js'
import {
  hash32,
  type Infer,
  numeric,
  option,
  refine,
  type Schema,
  string,
  struct,
  varint,
} from '../../../codec/index.js'
import { accountId, assetDefinitionId, currencyCode } from '../../../model/index.js'
import { isoFamily, messageId, paymentCount, paymentPlace } from '../../iso20022/schema/instructions.js'
import { outcomeName } from './history.js'

/** Longest reference of a message and longest name of an error code, in bytes. */
const REFERENCE_MAX_BYTES = 140
const CODE_MAX_BYTES = 64

/** A payment of a message, as a block decided it. */
export interface PaymentItem extends Infer<typeof paymentItem> {}
export const paymentItem = struct('PaymentItem', {
  messageId,
  family: isoFamily,
  submitter: accountId,
  /** Payments of the message, and the place of this one among them. */
  payments: paymentCount,
  place: paymentPlace,
  source: accountId,
  target: accountId,
  definition: assetDefinitionId,
  amount: numeric,
  currency: currencyCode,
  endToEndId: option(string(REFERENCE_MAX_BYTES)),
  outcome: outcomeName,
  /** Name of the error code when it was rejected. */
  rejection: option(string(CODE_MAX_BYTES)),
  transactionHash: hash32,
  height: varint,
  /** Index of the transaction in its block, and of the payment in the transaction. */
  index: varint,
  position: varint,
  /** Header time of the block, in ms since the Unix epoch. */
  timeMs: varint,
})
export const paymentPage: Schema<Page<PaymentItem>> = pageOf('PaymentPage', paymentItem)

/** Filters of the list; all given ones must match. */
export interface PaymentsQuery extends Infer<typeof paymentsQuery> {}
export const paymentsQuery = struct('PaymentsQuery', {
  ...pageQueryFields(historyCursor),
  submitter: option(accountId),
  account: option(accountId),
})

/** UETR or end-to-end id: at most 36 characters. */
const referenceText = refine(string(REFERENCE_MAX_BYTES), 'PaymentReferenceText', () => undefined, {
  pattern: '^.{1,36}$',
})

/** The payments of a UETR or an end-to-end id: an id alone names no payment, since submitters choose it. */
export interface ReferenceQuery extends Infer<typeof referenceQuery> {}
export const referenceQuery = struct('PaymentReferenceQuery', {
  ...pageQueryFields(historyCursor),
  submitter: option(accountId),
  account: option(accountId),
  reference: string(REFERENCE_MAX_BYTES),
})

export const paymentsParameters = struct('PaymentsParameters', {
  submitter: option(accountText),
  account: option(accountText),
  reference: option(referenceText),
  ...pageFields,
})
export type PaymentsParameters = Infer<typeof paymentsParameters>
