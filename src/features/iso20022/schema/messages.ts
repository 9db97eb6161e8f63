/** Owns the records of messages as the ledger has them: what was paid or rejected in a block, the same on every node. */
import { hash32, type Infer, list, numeric, option, string, struct, varint } from '../../../codec/index.js'
import { accountId, assetDefinitionId } from '../../../model/index.js'
import { isoFamily, messageDetails, messageId } from './instructions.js'

/** Messages of one id in one answer, at most: each has another submitter or another family. */
export const MESSAGES_MAX = 16

/** What a claim and its transfer say of a message. */
export const committedFields = {
  submitter: accountId,
  family: isoFamily,
  messageId,
  bodyHash: hash32,
  details: messageDetails,
  source: accountId,
  target: accountId,
  definition: assetDefinitionId,
  amount: numeric,
  transactionHash: hash32,
  /** When the gateway made the transaction, in ms since the Unix epoch. */
  receivedAtMs: varint,
  height: varint,
  /** Header time of the block, in ms since the Unix epoch. */
  timeMs: varint,
}

/** A paid message, as the ledger keeps it for good. */
export const claim = struct('Claim', committedFields)
export interface Claim extends Infer<typeof claim> {}

export const ledgerMessage = struct('LedgerMessage', {
  ...committedFields,
  /** Error code of the ledger; absent: paid. */
  rejection: option(string(64)),
})
/** A message whose transaction is in a block. */
export interface LedgerMessage extends Infer<typeof ledgerMessage> {}

export const messagesQuery = struct('IsoMessagesQuery', { messageId, submitter: option(accountId) })
export interface MessagesQuery extends Infer<typeof messagesQuery> {}

export const ledgerMessages = struct('LedgerMessages', { items: list(ledgerMessage, MESSAGES_MAX) })
/** What the ledger has of the messages of one id, by submitter and family: of each what was paid, else its last rejection. */
export interface LedgerMessages extends Infer<typeof ledgerMessages> {}
