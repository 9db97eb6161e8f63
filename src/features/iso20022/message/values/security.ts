/** Owns identifiers of securities and markets: ISIN (ISO 6166), CUSIP, MIC (ISO 10383). */
import type { ValueProblem } from './problem.js'

const problem = (code: string, expected: string): ValueProblem => ({ code, expected, reasonCode: 'FF01' })

/** Value of a character in check digits: digits as they are, letters from 10. */
const numberOf = (unit: string): number => Number.parseInt(unit, 36)

/** Sum of decimal digits. */
const digitSum = (value: number): number => Math.floor(value / 10) + (value % 10)

/** Check an ISIN: country, nine characters, check digit by Luhn over the expanded letters. */
export function checkIsin(value: string): ValueProblem | undefined {
  if (!/^[A-Z]{2}[A-Z0-9]{9}[0-9]$/.test(value)) return problem('isin_format', 'an ISIN of 12 characters')
  const digits = Array.from(value, (unit) => String(numberOf(unit))).join('')
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    sum += at % 2 === 1 ? digitSum(digit * 2) : digit
  }
  return sum % 10 === 0 ? undefined : problem('isin_checksum', 'an ISIN with its check digit')
}

/** Check a CUSIP: eight characters and a check digit modulo 10. */
export function checkCusip(value: string): ValueProblem | undefined {
  if (!/^[A-Z0-9*@#]{8}[0-9]$/.test(value)) return problem('cusip_format', 'a CUSIP of 9 characters')
  let sum = 0
  for (let at = 0; at < 8; at++) {
    const unit = value[at] ?? ''
    const special = '*@#'.indexOf(unit)
    const number = special >= 0 ? 36 + special : numberOf(unit)
    sum += digitSum(at % 2 === 1 ? number * 2 : number)
  }
  return (10 - (sum % 10)) % 10 === Number(value[8])
    ? undefined
    : problem('cusip_checksum', 'a CUSIP with its check digit')
}

/** Check an ISIN or a CUSIP, distinguished by length. */
export function checkSecurity(value: string): ValueProblem | undefined {
  if (value.length === 12) return checkIsin(value)
  return value.length === 9 ? checkCusip(value) : problem('security_format', 'an ISIN or a CUSIP')
}
