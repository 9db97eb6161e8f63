/** Owns amounts: exact conversion of decimal text to minor units, with the digits of its currency. */
import { collapse } from './blanks.js'
import { currencyScale, isUnscaledCurrency } from './currency.js'
import type { ValueProblem } from './problem.js'

/**
 * Exact decimal: mantissa / 10^scale. In a payment the scale is the scale of the currency, so the mantissa counts minor
 * units.
 */
export interface Amount {
  readonly mantissa: bigint
  readonly scale: number
}

/** Result or problem. */
export type AmountResult = { ok: true; amount: Amount } | { ok: false; problem: ValueProblem }

/** Maximum digits of an ISO 20022 amount in total, and after the point. */
const MAX_DIGITS = 18
const MAX_FRACTION_DIGITS = 5

const AMOUNT = /^([0-9]{1,18})(?:\.([0-9]{1,5}))?$/
const EXPECTED = `digits with at most one point, ${MAX_DIGITS} digits in all and ${MAX_FRACTION_DIGITS} after it`

/**
 * Parse an amount: no sign, exponent, grouping or bare point. Surrounding blanks are legal in XML Schema. ISO 20022
 * allows 18 digits in all, 5 of them after the point. The scale is taken from the text.
 */
export function parseDecimal(text: string): AmountResult {
  const match = AMOUNT.exec(collapse(text))
  const whole = match?.[1] ?? ''
  const fraction = match?.[2] ?? ''
  if (match === null || whole.length + fraction.length > MAX_DIGITS) {
    const hint = text.includes(',')
      ? 'Use a point, not a comma, and no grouping.'
      : 'Write it like 1234.50, without sign or blanks.'
    return { ok: false, problem: { code: 'amount_format', expected: EXPECTED, reasonCode: 'AM12', hint } }
  }
  return { ok: true, amount: { mantissa: BigInt(whole + fraction), scale: fraction.length } }
}

/** Read any decimal of XML Schema, such as a control sum; undefined if it is not one or exceeds 40 characters. */
export function readDecimal(text: string): Amount | undefined {
  const match = /^([+-]?)([0-9]*)(?:\.([0-9]*))?$/.exec(collapse(text))
  const digits = `${match?.[2] ?? ''}${match?.[3] ?? ''}`
  if (match === null || digits === '' || digits.length > 40) return undefined
  const mantissa = BigInt(digits)
  return { mantissa: match[1] === '-' ? -mantissa : mantissa, scale: match[3]?.length ?? 0 }
}

/**
 * Read an amount in a currency, in its minor units. Zeros beyond the minor units of the currency are dropped; other
 * digits beyond them are refused.
 */
export function parseAmount(text: string, currency: string): AmountResult {
  const scale = currencyScale(currency)
  if (scale === undefined) return { ok: false, problem: currencyProblem(currency) }
  const read = parseDecimal(text)
  if (!read.ok) return read
  const { mantissa, scale: written } = read.amount
  if (written <= scale) return { ok: true, amount: { mantissa: mantissa * 10n ** BigInt(scale - written), scale } }
  const excess = 10n ** BigInt(written - scale)
  if (mantissa % excess === 0n) return { ok: true, amount: { mantissa: mantissa / excess, scale } }
  return {
    ok: false,
    problem: {
      code: 'amount_scale',
      expected:
        scale === 0 ? `a whole number of ${currency}` : `at most ${scale} digits after the point for ${currency}`,
      reasonCode: 'AM12',
      hint: 'The bridge never rounds money.',
    },
  }
}

/** Problem of a code that is not a payable currency. */
export function currencyProblem(currency: string): ValueProblem {
  return {
    code: 'currency_unknown',
    expected: 'an active ISO 4217 currency',
    reasonCode: 'AM11',
    hint: isUnscaledCurrency(currency)
      ? `${currency} has no minor unit; payments in it are not possible.`
      : 'Three upper-case letters, such as EUR.',
  }
}

/** Compare two amounts by value, independent of scale. */
export function sameAmount(a: Amount, b: Amount): boolean {
  return a.mantissa * 10n ** BigInt(b.scale) === b.mantissa * 10n ** BigInt(a.scale)
}

/** Plain decimal text of an amount, with exactly its scale. */
export function formatAmount({ mantissa, scale }: Amount): string {
  const digits = mantissa.toString().padStart(scale + 1, '0')
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** Exact sum of amounts; undefined if any amount is undefined. */
export function sumOf(amounts: readonly (Amount | undefined)[]): Amount | undefined {
  let sum: Amount = { mantissa: 0n, scale: 0 }
  for (const amount of amounts) {
    if (amount === undefined) return undefined
    const scale = Math.max(sum.scale, amount.scale)
    const at = (value: Amount) => value.mantissa * 10n ** BigInt(scale - value.scale)
    sum = { mantissa: at(sum) + at(amount), scale }
  }
  return sum
}
