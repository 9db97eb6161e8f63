/** Owns the events of the bridge. */
import { type Schema, struct } from '../../../codec/index.js'
import { accountId, assetDefinitionId, type EventDef } from '../../../model/index.js'
import { ISO_EVENTS } from './ids.js'
import { currencyCode, iban, isoFamily, messageId } from './instructions.js'

const define = <T>(kind: keyof typeof ISO_EVENTS, schema: Schema<T>): EventDef<T> => ({
  id: ISO_EVENTS[kind],
  kind,
  subject: 'iso20022',
  schema,
})

export const ibanBound = define('ibanBound', struct('IbanBound', { iban, account: accountId }))
export const ibanUnbound = define('ibanUnbound', struct('IbanUnbound', { iban }))
export const currencyBound = define(
  'currencyBound',
  struct('CurrencyBound', { currency: currencyCode, definition: assetDefinitionId }),
)
export const currencyUnbound = define('currencyUnbound', struct('CurrencyUnbound', { currency: currencyCode }))
export const submitterSet = define('submitterSet', struct('SubmitterSet', { submitter: accountId }))
export const messageClaimed = define(
  'messageClaimed',
  struct('MessageClaimed', { submitter: accountId, family: isoFamily, messageId }),
)
