/** Owns the records of the bridge's instructions (docs/design/iso20022.md 2). */
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
  u16,
  unitEnum,
} from '../../../codec/index.js'
import { hash } from '../../../crypto/index.js'
import {
  type AccountId,
  accountId,
  assetDefinitionId,
  currencyCode,
  defineInstructions,
  domainId,
  type InstructionOf,
  iban,
  keyBytes,
} from '../../../model/index.js'
import { assertedAlias } from '../../names/schema/instructions.js'

/** Maximum BICs and debtor accounts of one submitter; one row contains them together with its limits. */
const BICS_MAX = 64
const DEBTORS_MAX = 400
/** Maximum limits of one submitter, at most one per asset definition. */
const LIMITS_MAX = 32

const matches = (pattern: RegExp, what: string) => (value: string) => (pattern.test(value) ? undefined : what)

/** Canonical BIC: eight characters, or eleven with a branch code other than XXX. */
export const bic: Schema<string> = text('Bic', 11, matches(/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/, 'no BIC'))
/** Message id: 1 to 35 characters of the ISO set (docs/design/iso20022.md 3). */
export const messageId: Schema<string> = text(
  'MessageId',
  35,
  matches(/^[0-9A-Za-z/\-?:().,'+ ]{1,35}$/, 'no message id'),
)

/** Families whose messages become payments. */
export type IsoFamily = Infer<typeof isoFamily>
export const isoFamily = unitEnum('IsoFamily', { pacs008: 0, pacs009: 1 })

/** Accounts that a submitter may debit: listed ones, or all of one domain. */
export type Debtors = Infer<typeof debtors>
export const debtors = enumOf('Debtors', { accounts: [0, list(accountId, DEBTORS_MAX)], domain: [1, domainId] })

/** Limits of a submitter in one asset definition; an absent limit is not applied. */
export interface SubmitterLimit extends Infer<typeof submitterLimit_> {}
const submitterLimit_ = struct('SubmitterLimit', {
  definition: assetDefinitionId,
  perPayment: option(numeric),
  /** Maximum total per UTC day of header time. */
  perDay: option(numeric),
})
export const submitterLimits: Schema<readonly SubmitterLimit[]> = list(submitterLimit_, LIMITS_MAX)

/** Maximum number of ISO reasons of changes by an operator. */
const CHANGES_MAX = 8
/** Maximum size of a reference, in bytes: 35 characters (Max35Text) of at most four bytes. */
const REFERENCE_MAX_BYTES = 140

/** Unique end-to-end transaction reference (UETR): a UUID as text. */
export const uetrText = string(36)

const isoDate = text('IsoDate', 10, matches(/^\d{4}-\d{2}-\d{2}$/, 'no date YYYY-MM-DD'))
export const messageDetails = struct('MessageDetails', {
  currency: currencyCode,
  settlementDate: isoDate,
  instructionId: option(string(REFERENCE_MAX_BYTES)),
  endToEndId: option(string(REFERENCE_MAX_BYTES)),
  /** PmtId/TxId of the message. */
  senderTransactionId: option(string(REFERENCE_MAX_BYTES)),
  uetr: option(uetrText),
  /** ISO reasons of changes by an operator. */
  changes: list(string(4), CHANGES_MAX),
})
/**
 * Details of a payment besides parties and amount, so that every node can report the complete status from the ledger.
 */
export interface MessageDetails extends Infer<typeof messageDetails> {}

/** Maximum number of payments in one message. */
export const PAYMENTS_MAX = 1_000
/** Maximum payments in one transaction; a block has room for several such transactions. */
export const PARTS_MAX = 256

const atLeastOne = (what: string) => (value: number) =>
  value >= 1 && value <= PAYMENTS_MAX ? undefined : `${what} between 1 and ${PAYMENTS_MAX}`
/** Number of payments of a message. */
export const paymentCount: Schema<number> = refine(u16, 'PaymentCount', atLeastOne('a number of payments'))
/** Place of a payment in its message, from 1; it identifies the payment there, since TxId is optional. */
export const paymentPlace: Schema<number> = refine(u16, 'PaymentPlace', atLeastOne('a place'))

/** ISO external status reason. */
const reasonCode = string(4)

/** A payment of a message that the gateway refused, with the ISO reason. */
export interface RefusedPayment extends Infer<typeof refusedPayment> {}
export const refusedPayment = struct('RefusedPayment', { place: paymentPlace, reason: reasonCode })

/** Maximum aliases that pin the parties of one payment: two for each party, and one for the asset. */
export const PINNED_ALIASES_MAX = 5

/** One payment of a shared transaction. */
export interface PaymentPart extends Infer<typeof paymentPart> {}
export const paymentPart = struct('PaymentPart', {
  place: paymentPlace,
  details: messageDetails,
  source: accountId,
  target: accountId,
  definition: assetDefinitionId,
  amount: numeric,
  /** Pins of the message that are aliases; if one no longer resolves to the asserted id, only this payment fails. */
  aliases: list(assertedAlias, PINNED_ALIASES_MAX),
})

/** A message with its payments in this transaction. */
export interface MessageParts extends Infer<typeof messageParts> {}
export const messageParts = struct('MessageParts', {
  submitter: accountId,
  family: isoFamily,
  messageId,
  bodyHash: hash32,
  /** Number of payments in the whole message. */
  payments: paymentCount,
  /** True if statements show the payments as one entry (GrpHdr/BtchBookg). */
  batchBooking: bool,
  /** Payments that the gateway refused, ordered by place. */
  refused: list(refusedPayment, PAYMENTS_MAX),
  /** Payments in this transaction, ordered by place. */
  parts: list(paymentPart, PARTS_MAX),
})

export const instructions = defineInstructions({
  bindIban: { id: 300, label: 'iso::bind_iban', record: { iban, account: accountId } },
  unbindIban: { id: 301, label: 'iso::unbind_iban', record: { iban } },
  bindCurrency: {
    id: 302,
    label: 'iso::bind_currency',
    record: { currency: currencyCode, definition: assetDefinitionId },
  },
  unbindCurrency: { id: 303, label: 'iso::unbind_currency', record: { currency: currencyCode } },
  setSubmitter: {
    id: 304,
    label: 'iso::set_submitter',
    record: {
      submitter: accountId,
      bics: list(bic, BICS_MAX),
      debtor: debtors,
      limits: submitterLimits,
    },
  },
  claimMessage: {
    id: 305,
    label: 'iso::claim_message',
    record: {
      submitter: accountId,
      family: isoFamily,
      messageId,
      /** Key of the claim, `claimKey` of the three fields above. */
      idHash: hash32,
      /**
       * Tagged hash of the message body, which distinguishes a repetition from a different message with the same id.
       */
      bodyHash: hash32,
      details: messageDetails,
    },
  },
  settlePayments: {
    id: 306,
    label: 'iso::settle_payments',
    since: 2,
    record: {
      /** Messages with 1 to 256 payments in total. */
      messages: list(messageParts, PARTS_MAX),
    },
  },
})

/**
 * Claim the identity of a message for the transfer that follows. Gateways that read the same body make the same claim.
 */
export interface ClaimMessage extends InstructionOf<typeof instructions.claimMessage> {}

/** Make payments of one or more messages, each of which may fail separately. */
export interface SettlePayments extends InstructionOf<typeof instructions.settlePayments> {}

/** Tagged hash of the received body: identifies it, even if it is not a payment. */
export const isoBodyHash = (bytes: Uint8Array): Buffer => hash('iso-body', bytes)

/** Identity of a message on the ledger: its sender, family and id. */
export const claimKey = (submitter: AccountId, family: IsoFamily, id: string): Buffer =>
  hash('iso-claim', keyBytes(submitter), Buffer.from(family, 'ascii'), Buffer.from(id, 'utf8'))

/**
 * Identity of a payment on the ledger: the message and the index in it. The only payment of a message has the identity
 * of the message.
 */
export const paymentKey = (message: Uint8Array, payments: number, place: number): Buffer =>
  payments === 1 ? Buffer.from(message) : hash('iso-payment', message, Buffer.of(place >> 8, place & 0xff))
