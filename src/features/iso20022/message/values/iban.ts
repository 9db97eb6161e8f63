/** Owns account numbers: IBAN by ISO 13616, with country, length, structure and check digits. */
import { ValidationErrorsIBAN, validateIBAN } from 'ibantools'
import { areGenerated, remainderBy97 } from '../../../../base/mod97.js'
import { IBAN_COUNTRIES } from './iban-registry.js'
import type { ValueProblem } from './problem.js'

const SHAPE = /^[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{1,30}$/

/**
 * Check an IBAN in electronic form (no blanks). Letters of the domestic part may be of either case, as in the ISO 20022
 * pattern; compare canonical forms only.
 */
export function checkIban(value: string): ValueProblem | undefined {
  const problem = (code: string, expected: string, hint?: string): ValueProblem => ({
    code,
    expected,
    reasonCode: 'AC01',
    hint,
  })
  if (!SHAPE.test(value)) {
    const hint = /\s/.test(value)
      ? 'Remove the blanks.'
      : hasForeignLetters(value)
        ? 'It contains letters or digits that only look like ASCII.'
        : undefined
    return problem('iban_format', 'two letters, two check digits, then ASCII letters and digits', hint)
  }
  const country = value.slice(0, 2)
  const found = IBAN_COUNTRIES.get(country)
  if (found === undefined)
    return problem('iban_country', 'a country that has IBANs', `${country} is not in the IBAN registry.`)
  if (value.length !== found.length)
    return problem('iban_length', `${found.length} characters for ${country}`, `It has ${value.length}.`)
  const upper = canonicalIban(value)
  if (!found.pattern.test(upper.slice(4))) return problem('iban_structure', `the account structure of ${country}`)
  if (remainderBy97(upper.slice(4) + upper.slice(0, 4)) !== 1 || !areGenerated(value.slice(2, 4))) {
    return problem('iban_checksum', 'check digits by modulo 97', 'A digit is wrong, or two are swapped.')
  }
  return undefined
}

/**
 * True if the domestic check digits of the account are wrong. Only some countries have them, so this is a remark and
 * not a fault.
 */
export function failsDomesticCheck(iban: string): boolean {
  return validateIBAN(canonicalIban(iban)).errorCodes.includes(ValidationErrorsIBAN.WrongAccountBankBranchChecksum)
}

/** Canonical form of an IBAN for comparison and storage: upper case, no blanks. */
export function canonicalIban(value: string): string {
  return value.replace(/[ \t\r\n]+/g, '').toUpperCase()
}

function hasForeignLetters(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the ASCII range is what is meant
  return /[^\u0000-\u007f]/.test(value)
}
