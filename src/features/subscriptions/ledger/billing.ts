/**
 * Owns the bills of a subscription: at the end of a period, at the end of the service and at its start. All functions
 * are pure.
 */
import type { Numeric } from '../../../codec/index.js'
import { ZERO } from '../../../ledger/money.js'
import type { Invoice, ServicePeriod } from '../schema/records.js'
import { amountOf, partDown, partUp, unitsOf, usageUnits } from './amounts.js'
import { type Span, spanAfter } from './cadence.js'
import type { PlanRow, SubscriptionRow } from './tables.js'

/** Lines of an invoice, in units of the asset. */
export interface Bill {
  readonly fixed: bigint
  readonly usage: bigint
  /** Paid price of the unused part of a period that ended early, which becomes credit. */
  readonly back: bigint
  /** Period of the bill. */
  readonly startMs: number
  readonly endMs: number
  readonly skipped: number
  readonly dueMs: number
}

/** Starting period, with its price in units. */
export interface Opening {
  readonly period: ServicePeriod
  readonly price: bigint
  readonly skipped: number
}

const isPostpaid = ({ terms }: PlanRow): boolean => terms.billFor === 'previous'

/** Period that contains a time, after a period that ended. */
export function openingOf({ terms, scale }: PlanRow, fromMs: number, nowMs: number): Opening {
  const { startMs, endMs, partMs, fullMs, skipped }: Span = spanAfter(terms.cadence, fromMs, nowMs)
  const price = partUp(unitsOf(terms.fixed ?? ZERO, scale), partMs, fullMs)
  return { period: { startMs, endMs, fixed: amountOf(price, scale) }, price, skipped }
}

const usageOf = ({ usage }: SubscriptionRow, { terms, scale }: PlanRow): bigint => usageUnits(terms.usage, usage, scale)
const priceOf = ({ period }: SubscriptionRow, { scale }: PlanRow): bigint => unitsOf(period.fixed, scale)

/** Bill of a subscription whose service ends now. */
export function closingOf(row: SubscriptionRow, plan: PlanRow, nowMs: number): Bill {
  const { status, period, open } = row
  const { startMs, endMs } = period
  const nothing: Bill = {
    fixed: 0n,
    usage: 0n,
    back: 0n,
    startMs,
    endMs,
    skipped: 0,
    dueMs: open?.dueMs ?? nowMs,
  }
  const price = priceOf(row, plan)
  if (status === 'pastDue' || status === 'suspended')
    return { ...nothing, usage: usageOf(row, plan), fixed: isPostpaid(plan) ? price : 0n }
  if (status !== 'active') return nothing
  const lengthMs = endMs - startMs
  const leftMs = Math.max(0, endMs - nowMs)
  const usage = usageOf(row, plan)
  return isPostpaid(plan)
    ? { ...nothing, usage, fixed: partUp(price, lengthMs - leftMs, lengthMs) }
    : { ...nothing, usage, back: partDown(price, leftMs, lengthMs) }
}

/** Bill of the end of a period and of the period that follows. */
export function renewalOf(closing: Bill, plan: PlanRow, { period, price }: Opening): Bill {
  const { startMs, endMs } = period
  if (!isPostpaid(plan)) return { ...closing, startMs, endMs, fixed: closing.fixed + price }
  return closing.fixed + closing.usage > 0n ? closing : { ...closing, startMs, endMs }
}

/** Bill of a due charge, with the period that follows. */
export function chargeOf(
  row: SubscriptionRow,
  plan: PlanRow,
  nowMs: number,
): { readonly bill: Bill; readonly next: Opening } {
  const { period, cancelAtEnd, open } = row
  const next = openingOf(plan, period.endMs, nowMs)
  const isOfNext = !isPostpaid(plan) && !cancelAtEnd
  const { startMs, endMs } = isOfNext ? next.period : period
  const fixed = isPostpaid(plan) ? priceOf(row, plan) : cancelAtEnd ? 0n : next.price
  const dueMs = open?.dueMs ?? period.endMs
  return { bill: { fixed, usage: usageOf(row, plan), back: 0n, startMs, endMs, skipped: next.skipped, dueMs }, next }
}

/** Amount of the next charge at the current usage, in units, if nothing else changes. */
export function expectedUnits(row: SubscriptionRow, plan: PlanRow, usage: Numeric): bigint {
  const { scale, terms } = plan
  const full = row.cancelAtEnd ? 0n : unitsOf(terms.fixed ?? ZERO, scale)
  const fixed = isPostpaid(plan) ? priceOf(row, plan) : full
  const owed = fixed + usageUnits(terms.usage, usage, scale) - unitsOf(row.credit, scale)
  return owed > 0n ? owed : 0n
}

/** Invoice of a bill, less the credit of the subscription and of the bill. */
export function invoiceOf(row: SubscriptionRow, { scale }: PlanRow, bill: Bill): Invoice {
  const { fixed, usage, startMs, endMs, skipped, dueMs } = bill
  const owed = fixed + usage
  const credit = unitsOf(row.credit, scale) + bill.back
  const used = credit < owed ? credit : owed
  return {
    number: row.counter + 1,
    startMs,
    endMs,
    quantity: row.usage,
    skipped,
    dueMs,
    fixed: amountOf(fixed, scale),
    usage: amountOf(usage, scale),
    credit: amountOf(used, scale),
    amount: amountOf(owed - used, scale),
    attempts: row.attempt,
    paidMs: undefined,
    error: undefined,
  }
}

/** True if the subscriber is entitled to the service at a time. */
export function isEntitled(row: SubscriptionRow, { terms }: PlanRow, nowMs: number): boolean {
  const { status, open, cancelAtEnd } = row
  if (status === 'trialing' || status === 'active') return true
  return status === 'pastDue' && !cancelAtEnd && open !== undefined && nowMs < open.dueMs + terms.graceMs
}
