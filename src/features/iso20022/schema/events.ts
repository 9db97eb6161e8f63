/** Owns the events of the bridge. */
import { accountId, assetDefinitionId, defineEvents, type EventSubject } from '../../../model/index.js'
import { currencyCode, iban, isoFamily, messageId } from './instructions.js'

const bridge: EventSubject<unknown> = { subject: 'iso20022' }

export const events = defineEvents({
  ibanBound: { id: 300, record: { iban, account: accountId }, ...bridge },
  ibanUnbound: { id: 301, record: { iban }, ...bridge },
  currencyBound: { id: 302, record: { currency: currencyCode, definition: assetDefinitionId }, ...bridge },
  currencyUnbound: { id: 303, record: { currency: currencyCode }, ...bridge },
  submitterSet: { id: 304, record: { submitter: accountId }, ...bridge },
  messageClaimed: { id: 305, record: { submitter: accountId, family: isoFamily, messageId }, ...bridge },
})
