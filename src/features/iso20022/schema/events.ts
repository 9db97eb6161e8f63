/** Owns the events of the bridge. */
import { hash32, string } from '../../../codec/index.js'
import {
  accountId,
  assetDefinitionId,
  currencyCode,
  defineEvents,
  type EventSubject,
  iban,
} from '../../../model/index.js'
import { isoFamily, messageId, paymentPlace } from './instructions.js'

const bridge: EventSubject<unknown> = { subject: 'iso20022' }

/** Fields that identify the payment of an event. */
const payment = { submitter: accountId, family: isoFamily, messageId, place: paymentPlace }
/** Error code of the ledger. */
const errorCode = string(64)

export const events = defineEvents({
  ibanBound: { id: 300, record: { iban, account: accountId }, ...bridge },
  ibanUnbound: { id: 301, record: { iban }, ...bridge },
  currencyBound: { id: 302, record: { currency: currencyCode, definition: assetDefinitionId }, ...bridge },
  currencyUnbound: { id: 303, record: { currency: currencyCode }, ...bridge },
  submitterSet: { id: 304, record: { submitter: accountId }, ...bridge },
  messageClaimed: { id: 305, record: { submitter: accountId, family: isoFamily, messageId }, ...bridge },
  paymentSettled: { id: 306, since: 2, record: payment, ...bridge },
  paymentRejected: { id: 307, since: 2, record: { ...payment, code: errorCode }, ...bridge },
  /**
   * Part without a result for its payment: it is a repetition, a different message has its id, or the bridge has no
   * permission to claim it.
   */
  partRefused: { id: 308, since: 2, record: { ...payment, bodyHash: hash32, code: errorCode }, ...bridge },
})
