/**
 * Owns the structures of the IBAN registry (SWIFT for ISO 13616, release 100): the domestic part by country, and
 * whether the country is in the geographical scope of SEPA. A structure is a list of lengths with a class, in the
 * notation of the registry: `n` digits, `a` upper-case letters, `c` letters of either case and digits.
 */

/** Countries in SEPA. */
const SEPA: Readonly<Record<string, string>> = {
  AD: '8n12c',
  AL: '8n16c',
  AT: '16n',
  BE: '12n',
  BG: '4a6n8c',
  CH: '5n12c',
  CY: '8n16c',
  CZ: '20n',
  DE: '18n',
  DK: '14n',
  EE: '16n',
  ES: '20n',
  FI: '14n',
  FR: '10n11c2n',
  GB: '4a14n',
  GI: '4a15c',
  GR: '7n16c',
  HR: '17n',
  HU: '24n',
  IE: '4a14n',
  IS: '22n',
  IT: '1a10n12c',
  LI: '5n12c',
  LT: '16n',
  LU: '3n13c',
  LV: '4a13c',
  MC: '10n11c2n',
  MD: '20c',
  ME: '18n',
  MK: '3n10c2n',
  MT: '4a5n18c',
  NL: '4a10n',
  NO: '11n',
  PL: '24n',
  PT: '21n',
  RO: '4a16c',
  RS: '18n',
  SE: '20n',
  SI: '15n',
  SK: '20n',
  SM: '1a10n12c',
  VA: '18n',
}

/** Countries outside SEPA. */
const OTHERS: Readonly<Record<string, string>> = {
  AE: '19n',
  AZ: '4a20c',
  BA: '16n',
  BH: '4a14c',
  BI: '23n',
  BR: '23n1a1c',
  BY: '4c4n16c',
  CR: '18n',
  DJ: '23n',
  DO: '4c20n',
  EG: '25n',
  FK: '2a12n',
  FO: '14n',
  GE: '2a16n',
  GL: '14n',
  GT: '24c',
  HN: '4a20n',
  IL: '19n',
  IQ: '4a15n',
  JO: '4a4n18c',
  KW: '4a22c',
  KZ: '3n13c',
  LB: '4n20c',
  LC: '4a24c',
  LY: '21n',
  MN: '16n',
  MR: '23n',
  MU: '4a19n3a',
  NI: '4a20n',
  OM: '3n16c',
  PK: '4a16c',
  PS: '4a21c',
  QA: '4a21c',
  RU: '14n15c',
  SA: '2n18c',
  SC: '4a20n3a',
  SD: '14n',
  SO: '19n',
  ST: '21n',
  SV: '4a20n',
  TL: '19n',
  TN: '20n',
  TR: '6n16c',
  UA: '6n19c',
  VG: '4a16n',
  XK: '16n',
  YE: '4a4n18c',
}

/** A country of the registry. */
export interface IbanCountry {
  /** Characters of an IBAN, including country and check digits. */
  readonly length: number
  /** Pattern of the domestic part in upper case. */
  readonly pattern: RegExp
  readonly isSepa: boolean
}

const CLASSES: Readonly<Record<string, string>> = { n: '[0-9]', a: '[A-Z]', c: '[A-Z0-9]' }

function countryOf(structure: string, isSepa: boolean): IbanCountry {
  const parts = [...structure.matchAll(/([0-9]+)([nac])/g)].map(
    ([, count, kind]) => [Number(count), CLASSES[kind ?? '']] as const,
  )
  return {
    length: parts.reduce((sum, [count]) => sum + count, 4),
    pattern: new RegExp(`^${parts.map(([count, kind]) => `${kind}{${count}}`).join('')}$`),
    isSepa,
  }
}

/** The registry by country code (ISO 3166-1 alpha-2, and XK). */
export const IBAN_COUNTRIES: ReadonlyMap<string, IbanCountry> = new Map([
  ...Object.entries(SEPA).map(([code, structure]) => [code, countryOf(structure, true)] as const),
  ...Object.entries(OTHERS).map(([code, structure]) => [code, countryOf(structure, false)] as const),
])
