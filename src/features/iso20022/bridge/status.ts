/** Owns the answer to where a message stands: from the ledger on every node, else from the records of this gateway. */
import '../schema/errors.js'
import { type AccountId, LedgerError } from '../../../model/index.js'
import { type IsoFamily, messageId as messageIdText } from '../schema/instructions.js'
import { type LedgerMessage, MESSAGES_MAX } from '../schema/messages.js'
import type { IsoRecordView } from '../schema/views.js'
import type { BridgeContext } from './context.js'
import type { BridgeRecord } from './record.js'
import { committedMessages, type Known, knownOf, type Sources } from './stages/reconcile.js'
import { viewOf } from './view.js'

/** The view of a message, or why there is none. */
export type BridgeAnswer = IsoRecordView | LedgerError

/** Which of the messages with one id is meant. */
export interface MessageFilter {
  readonly family: IsoFamily | undefined
  readonly submitter: AccountId | undefined
}

/** Who asks. */
interface Asker {
  readonly account: AccountId | undefined
  readonly operator: boolean
}

/** Status of a message of the caller; an operator sees everybody's. Ambiguous ids need a filter. Nothing is written. */
export async function messageStatus(
  context: Sources & Pick<BridgeContext, 'anonymousSubmitter'>,
  messageId: string,
  { account, operator }: Asker,
  filter: MessageFilter,
): Promise<BridgeAnswer> {
  const own = account ?? context.anonymousSubmitter
  if (!operator) {
    if (own === undefined) return new LedgerError('unauthorised', 'a message is shown to its submitter only')
    if (filter.submitter !== undefined && filter.submitter !== own) {
      return new LedgerError('forbidden', 'a message is shown to its submitter only')
    }
  }
  const found = await findMessage(context, messageId, operator ? filter : { ...filter, submitter: own })
  return found instanceof LedgerError ? found : viewOf(context.services, found, false)
}

/** The one message that a filter leaves of an id; `iso_unknown_message` or `iso_ambiguous`. */
export async function findMessage(
  context: Sources,
  messageId: string,
  { family, submitter }: MessageFilter,
): Promise<Known | LedgerError> {
  if (!messageIdText.fromJson(messageId).ok) return unknown(messageId)
  const committed = await committedMessages(context, messageId, submitter)
  const found = new Map<string, Found>()
  for (const message of committed) found.set(nameOf(message), { message, record: undefined })
  for (const record of (await context.store?.ofMessage(messageId)) ?? []) {
    found.set(nameOf(record), { message: found.get(nameOf(record))?.message, record })
  }
  const meant = [...found.values()].filter(({ message, record }) => {
    const one = message ?? record
    return (family === undefined || one?.family === family) && (submitter === undefined || one?.submitter === submitter)
  })
  const [first, ...others] = meant
  if (others.length > 0 || (submitter === undefined && committed.length === MESSAGES_MAX)) {
    return new LedgerError('iso_ambiguous', `several messages have the id ${messageId}`)
  }
  const known = first === undefined ? undefined : await knownOf(context, first.record, first.message)
  return known ?? unknown(messageId)
}

/** A message by what the ledger and this gateway have of it. */
interface Found {
  readonly message: LedgerMessage | undefined
  readonly record: BridgeRecord | undefined
}

const nameOf = ({ family, submitter }: Pick<LedgerMessage, 'family' | 'submitter'>): string => `${family} ${submitter}`

const unknown = (messageId: string): LedgerError =>
  new LedgerError('iso_unknown_message', `message ${messageId} is in no block, and was not submitted at this gateway`)
