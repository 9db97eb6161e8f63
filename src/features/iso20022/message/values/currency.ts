/** Owns the table of active ISO 4217 currencies with the digits of their minor units (list one, 2026). */

// By minor-unit digits. Not taken from Intl: CLDR rounds for display and disagrees with ISO for a dozen currencies.
const BY_SCALE: readonly (readonly [scale: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK ' +
      'DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR ' +
      'LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR ' +
      'SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ' +
      'ZAR ZMW ZWG',
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]

const SCALES: ReadonlyMap<string, number> = new Map(
  BY_SCALE.flatMap(([scale, codes]) => codes.split(' ').map((code): [string, number] => [code, scale])),
)

// ISO 4217 codes without a minor unit: metals, units of account, testing and "no currency". No payment can use them.
const WITHOUT_SCALE = new Set('XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '))

/** Digits of the minor unit of an active currency (EUR 2, JPY 0, BHD 3); undefined for any other code. */
export function currencyScale(code: string): number | undefined {
  return SCALES.get(code)
}

/** True if the code is in ISO 4217 but has no minor unit, such as gold. */
export function isUnscaledCurrency(code: string): boolean {
  return WITHOUT_SCALE.has(code)
}

/** All active currencies in code order. */
export function currencies(): readonly { code: string; scale: number }[] {
  return [...SCALES].map(([code, scale]) => ({ code, scale })).sort((a, b) => (a.code < b.code ? -1 : 1))
}
