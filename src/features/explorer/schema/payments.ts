/** Owns the records of the list of payments: ISO 20022 messages with their transfers. */
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

/** Maximum length of the reference of a message and of an error code name, in bytes. */
const REFERENCE_MAX_BYTES = 140
const CODE_MAX_BYTES = 64

/** Payment of a message, as decided by a block. */
export interface PaymentItem extends Infer<typeof paymentItem> {}
export const paymentItem = struct('PaymentItem', {
  messageId,
  family: isoFamily,
  submitter: accountId,
  /** Number of payments of the message, and the position of this one. */
  payments: paymentCount,
  place: paymentPlace,
  source: accountId,
  target: accountId,
  definition: assetDefinitionId,
  amount: numeric,
  currency: currencyCode,
  endToEndId: option(string(REFERENCE_MAX_BYTES)),
  outcome: outcomeName,
  /** Error code name of a rejection. */
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

/** Filters of the list; items must match all given filters. */
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

/**
 * Payments with a UETR or an end-to-end id. Submitters choose these ids, so that an id does not identify one payment.
 */
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
