/** Owns the value types of the structure tables: one check per ISO 20022 data type in use. */
import { currencyProblem, parseDecimal } from './amount.js'
import { checkBic } from './bic.js'
import { collapse } from './blanks.js'
import { checkDate, checkDateTime, checkTime, checkUtcDateTime } from './date.js'
import { checkIban } from './iban.js'
import { checkLei, checkUetr } from './identifier.js'
import type { ValueCheck, ValueProblem } from './problem.js'
import { checkIsin, checkSecurity } from './security.js'
import { STATUS_REASONS } from './status.js'

/** Properties of a leaf type. */
export interface LeafType {
  readonly check: ValueCheck
  /**
   * True for identifiers, amounts and codes: a comment or CDATA section inside is refused, because readers join such
   * text differently.
   */
  readonly exact: boolean
  /** Remark about an unusual property of a valid value. */
  readonly remark?: ValueCheck
  /** True if the value has the attribute Ccy. */
  readonly hasCurrency?: boolean
}

const wrong = (code: string, expected: string, hint?: string): ValueProblem => ({
  code,
  expected,
  reasonCode: 'FF01',
  hint,
})

const exact = (check: ValueCheck): LeafType => ({ check, exact: true })

const pattern = (code: string, regex: RegExp, expected: string): LeafType =>
  exact((value) => (regex.test(value) ? undefined : wrong(code, expected)))

/** Maximum characters of a decimal; XML Schema does not limit leading and trailing zeros. */
const MAX_DECIMAL_CHARS = 64

function decimal(totalDigits: number, fractionDigits: number): LeafType {
  const expected = `a decimal of at most ${totalDigits} digits, ${fractionDigits} of them after the point`
  return exact((value) => {
    const text = collapse(value)
    const match = text.length > MAX_DECIMAL_CHARS ? null : /^[+-]?([0-9]*)(?:\.([0-9]*))?$/.exec(text)
    const whole = match?.[1]?.replace(/^0+/, '') ?? ''
    const fraction = match?.[2]?.replace(/0+$/, '') ?? ''
    const hasDigit = match !== null && /[0-9]/.test(match[0])
    return hasDigit && fraction.length <= fractionDigits && whole.length + fraction.length <= totalDigits
      ? undefined
      : wrong('decimal_format', expected)
  })
}

function text(maxChars: number, isExact: boolean): LeafType {
  return {
    exact: isExact,
    check: (value) => {
      if (value === '') return wrong('value_missing', `1 to ${maxChars} characters`)
      // Cheap test first: there are never fewer UTF-16 units than characters.
      if (value.length <= maxChars) return undefined
      const length = Array.from(value).length
      return length <= maxChars
        ? undefined
        : wrong('text_length', `at most ${maxChars} characters`, `It has ${length}.`)
    },
  }
}

const NAMED: Readonly<Record<string, LeafType>> = {
  iban: exact(checkIban),
  bic: exact(checkBic),
  uetr: exact(checkUetr),
  date: exact(checkDate),
  dateTime: exact(checkDateTime),
  utcDateTime: exact(checkUtcDateTime),
  time: exact(checkTime),
  year: pattern('year_format', /^[ \t\n]*[0-9]{4}[ \t\n]*$/, 'a year YYYY'),
  boolean: pattern('boolean_format', /^[ \t\n]*(?:true|false|1|0)[ \t\n]*$/, 'true or false'),
  lei: exact(checkLei),
  // Countries of addresses have no effect here, so a pattern is sufficient.
  country: pattern('country_format', /^[A-Z]{2}$/, 'a country of two capital letters'),
  count: pattern('count_format', /^[0-9]{1,15}$/, '1 to 15 digits'),
  phone: pattern('phone_format', /^\+[0-9]{1,3}-[0-9()+-]{1,30}$/, '+, country code, - and the number'),
  alnum4: pattern('code_format', /^[a-zA-Z0-9]{4}$/, '4 letters or digits'),
  currency: exact((value) =>
    /^[A-Z]{3}$/.test(value) ? undefined : { ...currencyProblem(value), code: 'currency_format' },
  ),
  // The digits of a settlement amount are checked with its currency when the payment is read; other amounts by lexical
  // form only.
  amount: {
    exact: true,
    hasCurrency: true,
    check: (value) => {
      const read = parseDecimal(value)
      return read.ok ? undefined : read.problem
    },
  },
  statusReason: {
    ...text(4, true),
    remark: (value) =>
      STATUS_REASONS.has(value)
        ? undefined
        : {
            ...wrong('reason_unknown', 'a code of ExternalStatusReason1Code'),
            hint: 'This release does not know the code.',
          },
  },
  isin: exact(checkIsin),
  security: exact(checkSecurity),
  mic: pattern('mic_format', /^[A-Z][A-Z0-9]{3}$/, 'a market of four letters or digits'),
  rate: decimal(11, 10),
  number: decimal(18, 17),
  integer: decimal(18, 0),
}

const cache = new Map<string, LeafType>()

/**
 * Type by its name in a table: one of the names above, `text35` (free text up to 35 characters), `id35` (the same,
 * without markup inside) or `DEBT|CRED|SHAR` (one of these codes). Undefined for other names.
 */
export function leafType(name: string): LeafType | undefined {
  if (Object.hasOwn(NAMED, name)) return NAMED[name]
  const known = cache.get(name)
  if (known !== undefined) return known
  const sized = /^(text|id)([0-9]+)$/.exec(name)
  let made: LeafType | undefined
  if (sized !== null) made = text(Number.parseInt(sized[2] ?? '', 10), sized[1] === 'id')
  else if (name.includes('|')) {
    const codes = new Set(name.split('|'))
    made = exact((value) => (codes.has(value) ? undefined : wrong('code_unknown', `one of ${[...codes].join(', ')}`)))
  }
  if (made !== undefined) cache.set(name, made)
  return made
}
