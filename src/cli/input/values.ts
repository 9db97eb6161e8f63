/** Owns the parsing of typed values: amounts and hashes. */
import { formatNumeric, parseNumeric } from '../../codec/index.js'
import { usageError } from '../terminal/failure.js'

/** Canonical text of an amount of zero or more: `12.50` is written `12.5` on the ledger. Throws `usage`. */
export function amountText(text: string): string {
  if (!/^[0-9]+(\.[0-9]+)?$/.test(text)) throw usageError(`"${text}" is not an amount: expected a decimal number`)
  const plain = text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text
  const value = parseNumeric(plain.replace(/^0+(?=[0-9])/, ''))
  if (value === undefined) throw usageError(`"${text}" exceeds the range of amounts of the ledger`)
  return formatNumeric(value)
}

/** Canonical text of an amount above zero. Throws `usage`. */
export function positiveAmountText(text: string): string {
  const amount = amountText(text)
  if (amount === '0') throw usageError(`"${text}" is not an amount: expected a decimal number above zero`)
  return amount
}

/** Hash of 32 bytes in lower-case hex; throws `usage`. */
export function hashOf(text: string): string {
  if (!/^[0-9a-fA-F]{64}$/.test(text)) throw usageError(`"${text}" is not a hash: expected 64 hex digits`)
  return text.toLowerCase()
}
