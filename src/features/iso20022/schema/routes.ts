/** Owns the routes of the bridge (specification 4.4). */
import { word } from '../../../api/enum-text.js'
import { pageLimit } from '../../../api/paging.js'
import { defineRoute } from '../../../api/route.js'
import { ADMISSION_ERRORS } from '../../../api/route-errors.js'
import { option, refine, type Schema, string, struct } from '../../../codec/index.js'
import { accountId, type ErrorCode } from '../../../model/index.js'
import { isoFamily } from './instructions.js'
import { pacs002Xml } from './pacs002.js'
import {
  changeRequest,
  heldList,
  type IsoRecordView,
  isoPaymentPage,
  isoRecordView,
  LISTED_PAYMENTS,
  refuseRequest,
  releaseRequest,
} from './views.js'

/** Maximum size of a message body, in bytes: 1,000 payments of 2 KB each. */
const BODY_MAX_BYTES = 2 * 1024 * 1024
/** Maximum body of a sender that is not known as a submitter, in bytes. */
const UNTRUSTED_BODY_MAX_BYTES = 256 * 1024
/**
 * Media types of a message; the first byte of the body distinguishes XML, flat lines and flat JSON. `text/plain` is
 * excluded: any web page can send it to any site without a preflight request.
 */
const TYPES = [
  'application/xml',
  'text/xml',
  'application/json',
  'application/pacs008+xml',
  'application/pacs009+xml',
  'application/octet-stream',
]

/** Errors of an id that matches no message of the caller, or more than one. */
const UNKNOWN_ERRORS: readonly ErrorCode[] = ['iso_unknown_message', 'iso_ambiguous', 'forbidden']
/** Errors of a submission. */
const SUBMIT_ERRORS: readonly ErrorCode[] = [
  'forbidden',
  'iso_claim',
  'iso_duplicate_message',
  'iso_encoding',
  'iso_held_limit',
  'iso_invalid',
  'iso_limit',
  'iso_malformed',
  'iso_refdata',
  'iso_submitter',
  'iso_too_large',
  'iso_unbound',
  ...ADMISSION_ERRORS,
]

const submit = (family: 'pacs008' | 'pacs009', definition: string) =>
  defineRoute<undefined, undefined, Uint8Array, IsoRecordView>({
    id: `iso_${family}`,
    method: 'POST',
    path: `/v1/iso20022/${family}`,
    summary: `Submit a ${definition} message of 1 to 1,000 payments; each becomes a transfer`,
    access: 'public',
    format: 'json',
    body: { as: 'bytes', types: TYPES, maxBytes: BODY_MAX_BYTES, untrustedMaxBytes: UNTRUSTED_BODY_MAX_BYTES },
    response: isoRecordView,
    renders: { 'application/xml': pacs002Xml },
    success: 202,
    repeated: 200,
    errors: SUBMIT_ERRORS,
  })

export const isoPacs008 = submit('pacs008', 'pacs.008.001.08')
export const isoPacs009 = submit('pacs009', 'pacs.009.001.10')

/** Message id in a path: letters of the ISO set have one byte each, escaped characters three. */
const messageIdText = refine(string(105), 'IsoMessageIdText', () => undefined, { pattern: '^.{1,35}$' })

export const isoStatus = defineRoute({
  id: 'iso_status',
  tool: { name: 'payment_status', about: 'Status of an ISO 20022 payment by its message id' },
  method: 'GET',
  path: '/v1/iso20022/status/{msg_id}',
  summary: 'Status of a submitted message, derived from the ledger',
  access: 'public',
  format: 'json',
  params: struct('IsoStatusParams', { msgId: messageIdText }),
  query: struct('IsoStatusQuery', { family: option(isoFamily), submitter: option(accountId) }),
  about: { family: 'Family of the message, if several messages have the id.' },
  errors: UNKNOWN_ERRORS,
  response: isoRecordView,
  renders: { 'application/xml': pacs002Xml },
})

/** Query parameter for the number of payments on a page. */
const pageLimit_ = pageLimit('IsoPaymentLimit', 500, LISTED_PAYMENTS)
/** pacs.002 codes of a payment. */
const paymentCode = word('IsoPaymentCode', ['ACTC', 'ACSP', 'ACSC', 'RJCT', 'PDNG', 'ACWC'])
/** Cursor: place of the last payment of a page. */
const placeText = refine(string(4), 'IsoPaymentPlaceText', () => undefined, { pattern: '^[1-9][0-9]{0,3}$' })

export const isoTransactions = defineRoute({
  id: 'iso_transactions',
  method: 'GET',
  path: '/v1/iso20022/status/{msg_id}/transactions',
  summary: 'Payments of a submitted message with their status, in the order of the message',
  access: 'public',
  format: 'json',
  params: struct('IsoTransactionsParams', { msgId: messageIdText }),
  query: struct('IsoTransactionsQuery', {
    family: option(isoFamily),
    submitter: option(accountId),
    status: option(paymentCode),
    cursor: option(placeText),
    limit: option(pageLimit_),
  }),
  about: {
    family: 'Family of the message, if several messages have the id.',
    status: 'Payments with this pacs.002 code only.',
    cursor: 'Place of the last payment that was read: those behind it follow.',
  },
  errors: UNKNOWN_ERRORS,
  response: isoPaymentPage,
})

/** Maximum body of a decision, in bytes. */
const DECISION_MAX_BYTES = 4 * 1024
const heldParams = struct('IsoHeldParams', { msgId: messageIdText })

export const isoHeld = defineRoute({
  id: 'iso_held',
  method: 'GET',
  path: '/v1/iso20022/held',
  summary: 'Messages that wait for an operator, oldest first',
  access: 'operator',
  format: 'json',
  response: heldList,
})

const decision = <T>(name: 'release' | 'refuse' | 'change', summary: string, schema: Schema<T>) =>
  defineRoute<{ readonly msgId: string }, undefined, T, IsoRecordView>({
    id: `iso_${name}`,
    method: 'POST',
    path: `/v1/iso20022/held/{msg_id}/${name}`,
    summary,
    access: 'operator',
    format: 'json',
    params: heldParams,
    body: { as: 'record', schema, maxBytes: DECISION_MAX_BYTES },
    response: isoRecordView,
    renders: { 'application/xml': pacs002Xml },
    errors: ['iso_not_held', 'iso_held_changed', ...UNKNOWN_ERRORS, ...SUBMIT_ERRORS],
  })

export const isoRelease = decision('release', 'Release a held message: it is validated again and sent', releaseRequest)
export const isoRefuse = decision('refuse', 'Refuse a held message: RJCT, without payment', refuseRequest)
export const isoChange = decision('change', 'Change date or reference of a held message: ACWC', changeRequest)

/** Routes by their names in client code. */
export const ISO_ROUTES = {
  pacs008: isoPacs008,
  pacs009: isoPacs009,
  status: isoStatus,
  transactions: isoTransactions,
  held: isoHeld,
  release: isoRelease,
  refuse: isoRefuse,
  change: isoChange,
}
