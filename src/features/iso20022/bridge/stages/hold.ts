/** Owns the hold rules (docs/design/iso20022.md 5), which select validated payments that an operator has to release. */
import type { Numeric } from '../../../../codec/index.js'
import { type AccountId, exceeds } from '../../../../model/index.js'
import { canonicalBic, type Payment, type Totals, totalsOf } from '../../message/index.js'

/** A rule: a payment that meets all its conditions is held. */
export interface HoldRule {
  /** Minimum amount, in the unit of the currency. */
  readonly minAmount: Numeric | undefined
  /** Minimum total of the payments of a message in the currency of this payment. */
  readonly minTotal: Numeric | undefined
  readonly currency: string | undefined
  readonly submitter: AccountId | undefined
  /** BIC of one of the agents of the payment; a BIC of eight characters matches every branch. */
  readonly bic: string | undefined
}

/**
 * Reason of a hold in records and pacs.002: the instruction of the message, otherwise the first condition of the rule
 * in this order.
 */
export type HoldReason =
  | 'HOLD_INSTRUCTION'
  | 'HOLD_AMOUNT'
  | 'HOLD_TOTAL'
  | 'HOLD_SUBMITTER'
  | 'HOLD_BIC'
  | 'HOLD_CURRENCY'
  | 'HOLD_ALL'

/** Instruction code in the message: hold the funds until the creditor calls. */
const HOLD_CODE = 'HOLD'

function reasonOf(rule: HoldRule): HoldReason {
  if (rule.minAmount !== undefined) return 'HOLD_AMOUNT'
  if (rule.minTotal !== undefined) return 'HOLD_TOTAL'
  if (rule.submitter !== undefined) return 'HOLD_SUBMITTER'
  if (rule.bic !== undefined) return 'HOLD_BIC'
  return rule.currency === undefined ? 'HOLD_ALL' : 'HOLD_CURRENCY'
}

function meets(rule: HoldRule, payment: Payment, submitter: AccountId, totals: Totals): boolean {
  const { minAmount, minTotal, currency, submitter: held } = rule
  if (minAmount !== undefined && exceeds(minAmount, payment.amount)) return false
  if (minTotal !== undefined && exceeds(minTotal, totals.get(payment.currency) ?? payment.amount)) return false
  if (currency !== undefined && currency !== payment.currency) return false
  if (held !== undefined && held !== submitter) return false
  if (rule.bic === undefined) return true
  const bic = canonicalBic(rule.bic)
  const agents = [payment.debtorBic, payment.creditorBic, payment.instructingBic, payment.instructedBic]
  return agents.some((one) => one !== undefined && (one === bic || (bic.length === 8 && one.startsWith(bic))))
}

/** Reason to hold a payment; undefined: none. `totals`: totals of its message, by default of this payment alone. */
export function holdReason(
  rules: readonly HoldRule[],
  payment: Payment,
  submitter: AccountId,
  totals: Totals = totalsOf([payment]),
): HoldReason | undefined {
  if (payment.creditorInstructions?.includes(HOLD_CODE)) return 'HOLD_INSTRUCTION'
  const rule = rules.find((one) => meets(one, payment, submitter, totals))
  return rule === undefined ? undefined : reasonOf(rule)
}
