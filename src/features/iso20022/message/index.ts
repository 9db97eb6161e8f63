/** Owns the public face of the message reader. */
export { PAYMENT_FAMILIES } from './families.js'
export { type FaultStage, faultJson, type IsoFault } from './fault.js'
export { MAX_BODY_BYTES } from './limits.js'
export { type AccountEntry, notificationPairs } from './notification.js'
export { parsePayment, parsePayments } from './parse.js'
export { familyOf, PARSED_FAMILIES, WORKFLOW_FAMILIES } from './parsed/catalogue.js'
export { type MessageResult, type ParsedMessage, parseMessage } from './parsed/parse.js'
export type {
  ParseOptions,
  Payment,
  PaymentFamilyName,
  PaymentMessage,
  PaymentsOptions,
  PaymentsResult,
  Pins,
  ReadPayment,
} from './payment.js'
export {
  REASON_CODES,
  type ReasonCode,
  reasonForError,
  STATUS_CODES,
  type StatusCode,
} from './reasons.js'
export {
  type SecuritiesSettlement,
  type SettlementFamily,
  type SettlementParty,
  settlementPairs,
} from './securities.js'
export { type Totals, totalsOf } from './sums.js'
export { type Amount, formatAmount, parseAmount } from './values/amount.js'
export { canonicalBic, checkBic } from './values/bic.js'
export { currencyScale } from './values/currency.js'
export { canonicalIban, checkIban } from './values/iban.js'
export { checkSettlementDate } from './values/window.js'
export {
  type FlatPairs,
  fitsLine,
  flatJson,
  flatLines,
  flatPairs,
  flatXml,
  messageXml,
  type Payments,
} from './write.js'
