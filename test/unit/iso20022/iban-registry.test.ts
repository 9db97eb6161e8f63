/** The IBAN registry compared with the table of a package: every difference is listed with its reason. */
import { countrySpecs } from 'ibantools'
import { expect, it } from 'vitest'
import { checkIban } from '../../../src/features/iso20022/message/values/iban.js'
import { IBAN_COUNTRIES } from '../../../src/features/iso20022/message/values/iban-registry.js'

/**
 * Countries whose structure in the package differs from the registry: letters or digits where the registry has `c`, and
 * so on.
 */
const WRONG_IN_PACKAGE = ['BY', 'DO', 'GE', 'IE', 'PK', 'PS', 'TR', 'VG']

/** Character classes of a pattern, one per character. */
const classesOf = (pattern: string): string =>
  pattern
    .replace(/^\^|\$$/g, '')
    .replace(/\[0-9\]/g, 'n')
    .replace(/\[(?:A-Z0-9|0-9A-Z)\]/g, 'c')
    .replace(/\[A-Z\]/g, 'a')
    .replace(/([nac])\{([0-9]+)\}/g, (_, kind: string, count: string) => kind.repeat(Number(count)))

it('the IBAN registry has the same length as the reference package for each country', () => {
  const lengths = [...IBAN_COUNTRIES].map(([code, { length }]) => [code, length])
  expect(lengths).toEqual(lengths.map(([code]) => [code, countrySpecs[String(code)]?.chars]))
})

it('the IBAN registry has the same structures as the reference package, except for its known errors', () => {
  const other = [...IBAN_COUNTRIES].filter(
    ([code, { pattern }]) => classesOf(pattern.source) !== classesOf(countrySpecs[code]?.bban_regexp ?? ''),
  )
  expect(other.map(([code]) => code).sort()).toEqual(WRONG_IN_PACKAGE)
})

it('the IBAN registry includes every SEPA country of the reference package', () => {
  const named = Object.entries(countrySpecs).flatMap(([code, { SEPA }]) =>
    SEPA && IBAN_COUNTRIES.has(code) ? [code] : [],
  )
  expect(named.filter((code) => IBAN_COUNTRIES.get(code)?.isSepa !== true)).toEqual([])
})

it.each([
  'BY223ETB36009000Z00AB0000000',
  'DO841A2B00000001212453611324',
  'PK51MEZN0A1B2C3D4E5F6G7H',
  'PS76PALS00000000A040012345670',
])('%s is a valid IBAN, although the reference package rejects its structure', (iban) => {
  expect(checkIban(iban)).toBeUndefined()
})
