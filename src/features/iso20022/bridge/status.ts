/** Owns the status of messages: from the ledger on every node, else from the records of this gateway. */
import '../schema/errors.js'
import { type AccountId, LedgerError } from '../../../model/index.js'
import { type IsoFamily, messageId as messageIdText } from '../schema/instructions.js'
import { type LedgerMessage, MESSAGES_MAX, type MessageHead } from '../schema/messages.js'
import { type IsoPaymentPage, type IsoPaymentView, type IsoRecordView, LISTED_PAYMENTS } from '../schema/views.js'
import { type KnownMessage, knownMessage } from './bulk/known.js'
import { isPaymentCode, messageView, PAYMENT_STATUS, paymentViews } from './bulk/view.js'
import type { BridgeContext } from './context.js'
import type { BridgeRecord } from './record.js'
import { committedMessages, type Known, knownOf, type Sources } from './stages/reconcile.js'
import { viewOf } from './view.js'

/** View of a message, or the error. */
export type BridgeAnswer = IsoRecordView | LedgerError

/** Filter that selects one of the messages with the same id. */
export interface MessageFilter {
  readonly family: IsoFamily | undefined
  readonly submitter: AccountId | undefined
}

/** Caller of a status query. */
interface Asker {
  readonly account: AccountId | undefined
  readonly operator: boolean
}

/** Status of a message of the caller; operators may read all. Ambiguous ids need a filter. Writes nothing. */
export async function messageStatus(
  context: Sources & Pick<BridgeContext, 'anonymousSubmitter'>,
  messageId: string,
  asker: Asker,
  filter: MessageFilter,
): Promise<BridgeAnswer> {
  const found = await findOwn(context, messageId, asker, filter)
  if (found instanceof LedgerError) return found
  return 'payments' in found ? messageView(context.services, found, false) : viewOf(context.services, found, false)
}

/** Maximum and default number of payments on one page. */
const PAGE_MAX = 500
const PAGE_DEFAULT = LISTED_PAYMENTS

/** Filter of the payments of a message. */
export interface PaymentFilter extends MessageFilter {
  /** pacs.002 code. */
  readonly status: string | undefined
  /** Place after which the page begins. */
  readonly cursor: string | undefined
  readonly limit: number | undefined
}

/** List the payments of a message of the caller, by place. Writes nothing. */
export async function messagePayments(
  context: Sources & Pick<BridgeContext, 'anonymousSubmitter'>,
  messageId: string,
  asker: Asker,
  { status, cursor, limit = PAGE_DEFAULT, ...filter }: PaymentFilter,
): Promise<IsoPaymentPage | LedgerError> {
  const found = await findOwn(context, messageId, asker, filter)
  if (found instanceof LedgerError) return found
  const every = 'payments' in found ? paymentViews(found) : [onlyPayment(context.services, found)]
  const after = Number(cursor ?? 0)
  const listed = every.filter(({ place, pacs002Code }) => place > after && (status ?? pacs002Code) === pacs002Code)
  const items = listed.slice(0, Math.min(limit, PAGE_MAX))
  const last = items.at(-1)
  const nextCursor = last !== undefined && items.length < listed.length ? String(last.place) : undefined
  return { messageId, numberOfTransactions: every.length, items, nextCursor }
}

/** Payment of a message with one payment, in the same form as one of several payments. */
function onlyPayment(services: Sources['services'], known: Known): IsoPaymentView {
  const view = viewOf(services, known, false)
  const { pacs002Code } = view
  return { ...view, place: 1, status: isPaymentCode(pacs002Code) ? PAYMENT_STATUS[pacs002Code] : 'queued' }
}

/** Find the message of the caller with an id that matches a filter. */
function findOwn(
  context: Sources & Pick<BridgeContext, 'anonymousSubmitter'>,
  messageId: string,
  { account, operator }: Asker,
  filter: MessageFilter,
): Promise<Known | KnownMessage | LedgerError> | LedgerError {
  const own = account ?? context.anonymousSubmitter
  if (!operator) {
    if (own === undefined) return new LedgerError('unauthorised', 'a message is shown to its submitter only')
    if (filter.submitter !== undefined && filter.submitter !== own) {
      return new LedgerError('forbidden', 'a message is shown to its submitter only')
    }
  }
  return findMessage(context, messageId, operator ? filter : { ...filter, submitter: own })
}

/** Find the message with an id that matches a filter; `iso_unknown_message` or `iso_ambiguous`. */
export async function findMessage(
  context: Sources,
  messageId: string,
  { family, submitter }: MessageFilter,
): Promise<Known | KnownMessage | LedgerError> {
  if (!messageIdText.fromJson(messageId).ok) return unknown(messageId)
  const { items, heads } = await committedMessages(context, messageId, submitter)
  const found = new Map<string, Found>()
  const foundOf = (one: Named): Found => {
    const known = found.get(nameOf(one)) ?? { family: one.family, submitter: one.submitter, records: [] }
    found.set(nameOf(one), known)
    return known
  }
  for (const message of items) foundOf(message).message = message
  for (const head of heads) foundOf(head).head = head
  for (const record of (await context.store?.ofMessage(messageId)) ?? []) foundOf(record).records.push(record)
  const meant = [...found.values()].filter(
    (one) => (family ?? one.family) === one.family && (submitter ?? one.submitter) === one.submitter,
  )
  const [first, ...others] = meant
  if (others.length > 0 || (submitter === undefined && items.length + heads.length >= MESSAGES_MAX)) {
    return new LedgerError('iso_ambiguous', `several messages have the id ${messageId}`)
  }
  if (first === undefined) return unknown(messageId)
  return (await knownFrom(context, messageId, first)) ?? unknown(messageId)
}

/** Message of one submitter and family, from the ledger and this gateway. */
interface Found {
  readonly family: IsoFamily
  readonly submitter: AccountId
  message?: LedgerMessage
  head?: MessageHead
  readonly records: BridgeRecord[]
}
type Named = Pick<LedgerMessage, 'family' | 'submitter'>

/**
 * Select the view. A message with a head has several payments; for a message without one, the last attempt of this
 * gateway takes precedence.
 */
function knownFrom(
  context: Sources,
  messageId: string,
  { family, submitter, message, head, records }: Found,
): Promise<Known | KnownMessage | undefined> {
  const one = records.find(({ payments }) => payments === 1)
  const places = records.filter(({ payments }) => payments > 1)
  const lastPlace = Math.max(-1, ...places.map(({ receivedAtMs }) => receivedAtMs))
  const isSeveral = head !== undefined || (message === undefined && lastPlace >= (one?.receivedAtMs ?? 0))
  return isSeveral
    ? knownMessage(context, { submitter, family, messageId }, head, places)
    : knownOf(context, one, message)
}

const nameOf = ({ family, submitter }: Named): string => `${family} ${submitter}`

const unknown = (messageId: string): LedgerError =>
  new LedgerError('iso_unknown_message', `message ${messageId} is in no block, and was not submitted at this gateway`)
