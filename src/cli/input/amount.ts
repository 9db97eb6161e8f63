/** Owns amounts as people type them. */
import { formatNumeric, parseNumeric } from '../../codec/index.js'
import { usageError } from '../command/failure.js'

/** The canonical text of an amount: `12.50` is written `12.5` on the ledger. Throws `usage`. */
export function amountText(text: string): string {
  if (!/^[0-9]+(\.[0-9]+)?$/.test(text))
    throw usageError(`"${text}" is not an amount: expected a decimal number above zero`)
  const plain = text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text
  const value = parseNumeric(plain.replace(/^0+(?=[0-9])/, ''))
  if (value === undefined) throw usageError(`"${text}" is not an amount of the ledger`)
  return formatNumeric(value)
}
