/**
 * Owns the view of a message with several payments: status of each payment and of the group, counts, sums
 * (docs/design/iso20022.md 10).
 */
import type { NodeServices } from '../../../../api/services.js'
import { toHex } from '../../../../codec/index.js'
import { type AccountId, formatAsset } from '../../../../model/index.js'
import { reasonForError, type StatusCode, totalsOf } from '../../message/index.js'
import {
  type BridgeStatus,
  type IsoMessageView,
  type IsoPaymentView,
  type IsoStatusCount,
  LISTED_PAYMENTS,
} from '../../schema/views.js'
import { UNREAD } from '../fresh-record.js'
import { statusCode } from '../view.js'
import type { KnownMessage, KnownPayment } from './known.js'

/** Status of a payment by its pacs.002 code. */
export const PAYMENT_STATUS: Readonly<Record<Exclude<StatusCode, 'PART'>, IsoPaymentView['status']>> = {
  ACTC: 'queued',
  ACSP: 'queued',
  ACSC: 'settled',
  RJCT: 'rejected',
  PDNG: 'held',
  ACWC: 'held',
}
type PaymentCode = keyof typeof PAYMENT_STATUS
export const isPaymentCode = (code: string): code is PaymentCode => Object.hasOwn(PAYMENT_STATUS, code)

/** The payments of a message, by place. */
export const paymentViews = ({ payments }: KnownMessage): readonly IsoPaymentView[] => payments.map(paymentView)

function paymentView(known: KnownPayment): IsoPaymentView {
  const { place, outcome, record, refused } = known
  const code = codeOf(known)
  const paid = outcome ?? record
  const details = paid?.details
  const rejection = outcome?.rejection
  const isUnread = details?.currency === UNREAD.currency
  return {
    place,
    instructionId: details?.instructionId,
    endToEndId: details?.endToEndId,
    senderTransactionId: details?.senderTransactionId,
    uetr: details?.uetr,
    amount: isUnread ? undefined : paid?.amount,
    currency: isUnread ? undefined : details?.currency,
    settlementDate: details?.settlementDate === UNREAD.settlementDate ? undefined : details?.settlementDate,
    status: PAYMENT_STATUS[code],
    pacs002Code: code,
    rejectionReasonCode:
      outcome !== undefined
        ? rejection && reasonForError(rejection)
        : code === 'RJCT'
          ? (record?.reasonCode ?? refused)
          : undefined,
    detail: outcome === undefined ? record?.detail : rejection,
    holdReasonCode: outcome === undefined ? record?.holdReason : undefined,
    changeReasonCodes: details?.changes ?? [],
    transactionHash: paid?.transactionHash,
    sourceAccountId: paid?.source,
    targetAccountId: paid?.target,
    assetDefinitionId: paid?.definition,
  }
}

/** pacs.002 code of a payment. A payment that only a different gateway may have counts as queued there. */
function codeOf({ outcome, record, refused }: KnownPayment): PaymentCode {
  if (outcome !== undefined) return outcome.rejection === undefined ? 'ACSC' : 'RJCT'
  if (record === undefined) return refused === undefined ? 'ACSP' : 'RJCT'
  const code = statusCode(record)
  return isPaymentCode(code) ? code : 'ACTC'
}

/** Group status code, which always shows that a payment was rejected (pacs.002 rules of GrpSts). */
export function groupCode(codes: readonly string[]): StatusCode {
  const all = (...some: readonly string[]): boolean => codes.every((code) => some.includes(code))
  if (all('ACSC')) return 'ACSC'
  if (all('RJCT')) return 'RJCT'
  if (all('PDNG', 'ACWC')) return 'PDNG'
  if (all('ACTC')) return 'ACTC'
  return all('ACTC', 'ACSP', 'ACSC') ? 'ACSP' : 'PART'
}

const GROUP_STATUS: Readonly<Record<StatusCode, BridgeStatus>> = { ...PAYMENT_STATUS, PART: 'partial' }

/** View of a message. `replayed`: it is the earlier result of a repeated submission. */
export function messageView(services: NodeServices, message: KnownMessage, replayed: boolean): IsoMessageView {
  const { identity, bodyHash, head } = message
  const every = paymentViews(message)
  const code = groupCode(every.map(({ pacs002Code }) => pacs002Code))
  const records = message.payments.flatMap(({ record }) => (record === undefined ? [] : [record]))
  const [first] = every
  /** Value of a field if it is the same in all payments. */
  const common = <K extends keyof IsoPaymentView>(name: K): IsoPaymentView[K] | undefined =>
    every.every((one) => one[name] === first?.[name]) ? first?.[name] : undefined
  const hashes = new Map(
    every.flatMap(({ transactionHash: hash }) => (hash === undefined ? [] : [[toHex(hash), hash]])),
  )
  const transactionHashes = [...hashes.values()]
  const statusCounts = countsOf(every)
  const currency = common('currency')
  const total = currency === undefined ? undefined : sumsOf(every)
  const [sourceAccountId, assetDefinitionId] = [common('sourceAccountId'), common('assetDefinitionId')]
  // A refusal recorded in the head is known to every node.
  const isLocal = message.payments.some(
    ({ outcome, record, refused }) =>
      outcome === undefined && record !== undefined && !(record.state === 'rejected' && refused !== undefined),
  )
  return {
    ...identity,
    bodyHash,
    attempt: records.length === 0 ? undefined : Math.max(...records.map(({ attempt }) => attempt)),
    transactionHash: head?.transactionHash ?? transactionHashes[0],
    status: GROUP_STATUS[code],
    pacs002Code: code,
    holdReasonCode: common('holdReasonCode'),
    changeReasonCodes: [...new Set(every.flatMap((one) => one.changeReasonCodes))],
    rejectionReasonCode: common('rejectionReasonCode'),
    detail: common('detail'),
    ledgerId: services.info.chain,
    sourceAccountId,
    targetAccountId: common('targetAccountId'),
    assetDefinitionId,
    assetId: assetOf(services, assetDefinitionId, sourceAccountId),
    amount: every.some(({ amount }) => amount === undefined) ? undefined : total?.[0]?.amount,
    currency,
    settlementDate: common('settlementDate'),
    instructionId: undefined,
    endToEndId: undefined,
    senderTransactionId: undefined,
    uetr: undefined,
    replayed,
    receivedAtMs: head?.receivedAtMs ?? Math.min(...records.map(({ receivedAtMs }) => receivedAtMs)),
    updatedAtMs: Math.max(head?.timeMs ?? 0, ...records.map(({ updatedAtMs }) => updatedAtMs)),
    gateway: isLocal ? services.info.networkKey : undefined,
    place: undefined,
    numberOfTransactions: every.length,
    transactionHashes,
    statusCounts,
    transactions: every.slice(0, LISTED_PAYMENTS),
    nextCursor: every.length > LISTED_PAYMENTS ? String(LISTED_PAYMENTS) : undefined,
    every,
  }
}

const assetOf = (
  { info }: NodeServices,
  definition: string | undefined,
  account: AccountId | undefined,
): string | undefined =>
  definition === undefined || account === undefined
    ? undefined
    : formatAsset({ definition, account }, info.addressPrefix)

/** Payments by code, in the order in which codes first appear. */
function countsOf(payments: readonly IsoPaymentView[]): IsoStatusCount[] {
  const byCode = new Map<string, IsoPaymentView[]>()
  for (const payment of payments) {
    const own = byCode.get(payment.pacs002Code)
    if (own === undefined) byCode.set(payment.pacs002Code, [payment])
    else own.push(payment)
  }
  return [...byCode].map(([pacs002Code, own]) => ({
    pacs002Code,
    numberOfTransactions: own.length,
    sums: sumsOf(own),
  }))
}

/** Sums of payments by currency; payments without an amount are left out. */
function sumsOf(payments: readonly IsoPaymentView[]): IsoStatusCount['sums'] {
  const known = payments.flatMap(({ amount, currency }) =>
    amount === undefined || currency === undefined ? [] : [{ amount, currency }],
  )
  return [...totalsOf(known)].map(([currency, amount]) => ({ currency, amount }))
}
