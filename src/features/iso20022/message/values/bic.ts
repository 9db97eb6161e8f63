/** Owns bank identifiers: BIC by ISO 9362:2014, whose party prefix may contain digits. */
import { countrySpecs } from 'ibantools'
import type { ValueProblem } from './problem.js'

const BIC = /^[A-Z0-9]{4}([A-Z]{2})[A-Z0-9]{2}([A-Z0-9]{3})?$/

// Keys are ISO 3166-1 alpha-2 codes and XK, the user-assigned code in BICs of Kosovo.
const COUNTRIES = new Set(Object.keys(countrySpecs))

/** True if a two-letter code is a country of ISO 3166-1 (XK included). */
export function isCountry(code: string): boolean {
  return COUNTRIES.has(code)
}

/** Check a BIC of 8 or 11 characters. */
export function checkBic(value: string): ValueProblem | undefined {
  const match = BIC.exec(value)
  if (match === null) {
    return {
      code: 'bic_format',
      expected: '4 letters or digits, 2 letters of the country, 2 letters or digits, and 3 more for a branch',
      reasonCode: 'RC01',
      hint: /[a-z]/.test(value) ? 'Use upper case.' : undefined,
    }
  }
  const country = match[1] ?? ''
  if (!isCountry(country)) {
    return {
      code: 'bic_country',
      expected: 'an ISO 3166 country at characters 5 and 6',
      reasonCode: 'RC01',
      hint: `${country} is not a country.`,
    }
  }
  return undefined
}

/** Canonical form of a BIC for comparison: the branch code XXX, the main office, is omitted. */
export function canonicalBic(bic: string): string {
  return bic.length === 11 && bic.endsWith('XXX') ? bic.slice(0, 8) : bic
}
