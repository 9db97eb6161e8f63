/** Owns the hold rules of the bridge in the configuration. */

import { isOneOf, isRecord } from '../../../base/guards.js'
import { type Numeric, parseNumeric } from '../../../codec/index.js'
import type { TableList } from '../../../config/index.js'
import { canonicalBic, checkBic, currencyScale } from '../message/index.js'

/** A rule: a payment that meets all its conditions is held for an operator. */
export interface HoldRuleConfig {
  readonly minAmount: Numeric | undefined
  /** Minimum sum of the payments of a message in one currency. */
  readonly minTotal: Numeric | undefined
  readonly currency: string | undefined
  /** Address or alias of the submitter. */
  readonly submitter: string | undefined
  readonly bic: string | undefined
}

const FIELDS = ['min_amount', 'min_total', 'currency', 'submitter', 'bic'] as const

/** Rule, or the reason why it is invalid. */
function readHoldRule(value: unknown): HoldRuleConfig | string {
  if (!isRecord(value)) {
    return 'expected { min_amount = "...", min_total = "...", currency = "...", submitter = "...", bic = "..." }'
  }
  const extra = Object.keys(value).find((key) => !isOneOf(FIELDS, key))
  if (extra !== undefined) return `unknown field "${extra}"; a rule has ${FIELDS.join(', ')}`
  const texts: Partial<Record<(typeof FIELDS)[number], string>> = {}
  for (const field of FIELDS) {
    const text = value[field]
    if (text === undefined) continue
    if (typeof text !== 'string' || text === '') return `${field}: expected a text`
    texts[field] = text
  }
  const { min_amount, min_total, currency, submitter, bic } = texts
  const [minAmount, minTotal] = [min_amount, min_total].map((text) =>
    text === undefined ? undefined : parseNumeric(text),
  )
  for (const [name, text, value] of [
    ['min_amount', min_amount, minAmount],
    ['min_total', min_total, minTotal],
  ] as const) {
    if (text !== undefined && (value === undefined || value.mantissa < 0n)) {
      return `${name}: expected a decimal such as "10000.00"`
    }
  }
  if (currency !== undefined && currencyScale(currency) === undefined) {
    return `currency: "${currency}" is not a currency of ISO 4217`
  }
  if (bic !== undefined && checkBic(bic) !== undefined) return `bic: "${bic}" is not a BIC`
  return { minAmount, minTotal, currency, submitter, bic: bic === undefined ? undefined : canonicalBic(bic) }
}

/** List of tables under `iso.hold`. */
export const HOLD_RULES: TableList = {
  type: 'tables',
  values: ['rules'],
  read(item) {
    const rule = readHoldRule(item)
    return typeof rule === 'string' ? { fault: rule } : { value: rule }
  },
  item: {
    type: 'object',
    additionalProperties: false,
    properties: {
      min_amount: { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?$' },
      min_total: { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?$' },
      currency: { type: 'string', pattern: '^[A-Z]{3}$' },
      submitter: { type: 'string' },
      bic: { type: 'string' },
    },
  },
}
