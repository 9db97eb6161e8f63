/** Owns the texts of account numbers and currencies that the ledger binds to accounts and asset definitions. */
import { type Schema, text } from '../codec/index.js'

const matches = (pattern: RegExp, what: string) => (value: string) => (pattern.test(value) ? undefined : what)

/** Canonical IBAN: upper case, no blanks. The bridge checks its check digits. */
export const iban: Schema<string> = text('Iban', 34, matches(/^[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}$/, 'no canonical IBAN'))
/** ISO 4217 alphabetic code. */
export const currencyCode: Schema<string> = text('CurrencyCode', 3, matches(/^[A-Z]{3}$/, 'no currency code'))
