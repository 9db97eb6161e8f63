/** Owns held payments grouped by message, with their sums. */
import { withDigits } from '../base/digits.js'
import type { IsoRecordView } from '../features/iso20022/schema/views.js'
import { currencyDigits, grouped, sum, visible } from './format.js'
import type { JsonOf } from './json.js'

export type HeldPayment = JsonOf<IsoRecordView>

/** Held payments of one message, by position. */
export type HeldMessage = readonly [HeldPayment, ...HeldPayment[]]

/** Key of a message: an id is unique only within one submitter and family. */
export const messageKey = ({ submitter, family, message_id: id }: HeldPayment): string => `${submitter} ${family} ${id}`

/** Held payments by their message, oldest first. */
export function messagesOf(payments: readonly HeldPayment[]): HeldMessage[] {
  const byMessage = new Map<string, [HeldPayment, ...HeldPayment[]]>()
  for (const payment of payments) {
    const own = byMessage.get(messageKey(payment))
    if (own === undefined) byMessage.set(messageKey(payment), [payment])
    else own.push(payment)
  }
  return [...byMessage.values()].map((own) => own.sort((a, b) => (a.place ?? 1) - (b.place ?? 1)))
}

/** Text of the sums of payments by currency. */
export function moneyText(payments: readonly HeldPayment[]): string {
  const sums = new Map<string, string>()
  for (const { amount, currency } of payments) {
    if (amount == null || currency == null) return 'an unknown amount'
    sums.set(currency, sum(sums.get(currency) ?? '0', amount))
  }
  return [...sums]
    .map(([currency, amount]) => `${grouped(withDigits(amount, currencyDigits(currency)))} ${visible(currency)}`)
    .join(' and ')
}
