/** Owns the sums of the payments of a message. */
import type { Payment } from './payment.js'
import { type Amount, sumOf } from './values/amount.js'

/** Sums of the payments of a message by currency. */
export type Totals = ReadonlyMap<string, Amount>

/** Sums of payments by currency. */
export function totalsOf(payments: readonly Payment[]): Totals {
  const amounts = new Map<string, Amount[]>()
  for (const { currency, amount } of payments) {
    const own = amounts.get(currency)
    if (own === undefined) amounts.set(currency, [amount])
    else own.push(amount)
  }
  return new Map([...amounts].map(([currency, own]) => [currency, sumOf(own) as Amount]))
}
