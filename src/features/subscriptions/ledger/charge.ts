/** Owns the charge of a subscription: payment within the mandate, invoice, due run, retries. */
import { formatNumeric, type Numeric } from '../../../codec/index.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Scheduled } from '../../../executor/feature.js'
import { ZERO } from '../../../ledger/money.js'
import { payAgreed } from '../../../ledger/moves.js'
import { add, exceeds, subtract } from '../../../model/index.js'
import { events } from '../schema/events.js'
import { type Invoice, type Mandate, MINUTE_MS, subscriptionId } from '../schema/records.js'
import { amountOf } from './amounts.js'
import { type Bill, chargeOf, invoiceOf, type Opening } from './billing.js'
import { assetFault, emitStatus, type Found, partiesOf, planOf, writeCanceled, writeScheduled } from './rows.js'
import { type PlanRow, type SubscriptionRow, subscriptions } from './tables.js'

/** Sum of amounts that were paid, which cannot exceed 512 bits. */
export function sumOf(a: Numeric, b: Numeric): Numeric {
  const sum = add(a, b)
  if (sum === undefined) throw new Error('the payments of a subscription exceed 512 bits')
  return sum
}

/** Difference of an amount and a part of it. */
export function restOf(a: Numeric, part: Numeric): Numeric {
  const rest = subtract(a, part)
  if (rest === undefined) throw new Error('a part of an amount exceeds it')
  return rest
}

/** Reject an amount beyond the limits of a mandate. */
export function limitFault(
  { maxPerPeriod, totalMax }: Mandate,
  spent: Numeric,
  amount: Numeric,
): Rejection | undefined {
  if (exceeds(amount, maxPerPeriod))
    return reject('mandate_exceeded', `a charge of ${formatNumeric(amount)} exceeds max_per_period`)
  if (totalMax !== undefined && exceeds(sumOf(spent, amount), totalMax))
    return reject('mandate_exceeded', `a charge of ${formatNumeric(amount)} exceeds the rest of total_max`)
  return undefined
}

/** Pay an invoice within the mandate. */
function pay(ctx: ExecContext, row: SubscriptionRow, plan: PlanRow, { amount }: Invoice): Rejection | undefined {
  const { mandate, spent, subscriber } = row
  if (mandate.untilMs !== undefined && ctx.env.timeMs >= mandate.untilMs)
    return reject('mandate_exceeded', 'the mandate has ended')
  const fault = limitFault(mandate, spent, amount)
  if (fault !== undefined || amount.mantissa === 0n) return fault
  return (
    assetFault(ctx, plan) ??
    payAgreed(ctx, { asset: { definition: plan.terms.asset, account: subscriber }, to: row.plan.provider, amount })
  )
}

/** Subscription after a bill was paid. */
function paidRow(row: SubscriptionRow, { scale }: PlanRow, bill: Bill, invoice: Invoice): SubscriptionRow {
  const credit = restOf(sumOf(row.credit, amountOf(bill.back, scale)), invoice.credit)
  return {
    ...row,
    credit,
    usage: ZERO,
    attempt: 0,
    open: undefined,
    last: invoice,
    counter: row.counter + 1,
    spent: sumOf(row.spent, invoice.amount),
  }
}

/** Subscription after a bill without an amount: with the credit of the bill, without usage and debt. */
const clearedRow = (row: SubscriptionRow, { scale }: PlanRow, { back }: Bill): SubscriptionRow => ({
  ...row,
  usage: ZERO,
  attempt: 0,
  open: undefined,
  credit: sumOf(row.credit, amountOf(back, scale)),
})

/** Subscription in a period. */
export const inPeriod = (row: SubscriptionRow, { period }: Opening): SubscriptionRow => ({
  ...row,
  status: 'active',
  period,
  dueMs: period.endMs,
})

/** Result of settling a bill: the subscription, and its invoice unless the bill has no amount. */
export interface Settled {
  readonly row: SubscriptionRow
  readonly invoice: Invoice | undefined
}

/** Pay a bill; a rejection if the payment fails. */
export function settle(ctx: ExecContext, row: SubscriptionRow, plan: PlanRow, bill: Bill): Settled | Rejection {
  if (bill.fixed + bill.usage === 0n) return { row: clearedRow(row, plan, bill), invoice: undefined }
  const invoice = { ...invoiceOf(row, plan, bill), paidMs: ctx.env.timeMs }
  return pay(ctx, row, plan, invoice) ?? { row: paidRow(row, plan, bill, invoice), invoice }
}

/**
 * Pay a bill, or leave its invoice open if the payment fails; returns a rejection only if execution units or trigger
 * levels ran out.
 */
export function settleOrOwe(ctx: ExecContext, row: SubscriptionRow, plan: PlanRow, bill: Bill): Settled | Rejection {
  let settled: Settled | undefined
  const failed = ctx.fork((fork) => {
    const done = settle(fork, row, plan, bill)
    if ('code' in done) return done
    settled = done
    return undefined
  })
  if (failed === undefined && settled !== undefined) return settled
  if (failed !== undefined && isCutShort(failed)) return failed
  const owed = { ...clearedRow(row, plan, bill), usage: row.usage, attempt: row.attempt }
  return { row: { ...owed, open: openInvoice(ctx, invoiceOf(row, plan, bill), failed) }, invoice: undefined }
}

/** Codes of payments that ran out of execution units or trigger levels, which the sender causes and not the payer. */
const CUT_SHORT: ReadonlySet<string> = new Set(['teu_exhausted', 'trigger_depth', 'multisig_nesting'])
const isCutShort = ({ code }: Rejection): boolean => CUT_SHORT.has(code)

const errorOf = (ctx: ExecContext, failed: Rejection | undefined): number | undefined =>
  failed === undefined ? undefined : ctx.abi.errorNumbers.get(failed.code)

const openInvoice = (ctx: ExecContext, invoice: Invoice, failed: Rejection | undefined): Invoice => ({
  ...invoice,
  attempts: invoice.attempts + 1,
  error: errorOf(ctx, failed),
})

/** Emit the event of a paid invoice. */
export function emitCharged(
  ctx: ExecContext,
  one: Found,
  invoice: Invoice | undefined,
  run: number | Rejection | undefined,
) {
  if (invoice === undefined) return
  const nextMs = typeof run === 'number' ? run : undefined
  ctx.emit(events.subscriptionCharged, { ...partiesOf(one), invoice, nextMs })
}

/** Due run of a charge. */
export const chargeRun: Scheduled<Uint8Array> = {
  kind: 'subscription_charge',
  key: subscriptionId,
  paidBy: 'owner',
  teu: 420,
  maxTeu: 3_000,
  run(ctx, id) {
    const row = ctx.get(subscriptions, id)
    if (row?.dueMs === undefined || row.dueMs > ctx.env.timeMs) throw new Error('cannot run a charge that is not due')
    record(ctx, { id, row }, attempt(ctx, { id, row }))
    return undefined
  },
}

/** Attempt of a charge: bill, invoice, next period, and the rejection of a failed payment. */
interface Attempt {
  readonly row: SubscriptionRow
  readonly plan: PlanRow
  readonly bill: Bill
  readonly next: Opening
  readonly invoice: Invoice
  readonly failed: Rejection | undefined
}

/** Try the charge of a due subscription: one for any number of ended periods. Undefined if a trial ends without a charge. */
function attempt(ctx: ExecContext, { row: before }: Found): Attempt | undefined {
  const isTrial = before.status === 'trialing'
  if (isTrial && before.cancelAtEnd) return undefined
  const row = isTrial ? { ...before, usage: ZERO } : before
  const plan = planOf(ctx, row)
  const { bill, next } = chargeOf(row, plan, ctx.env.timeMs)
  const invoice = { ...invoiceOf(row, plan, bill), paidMs: ctx.env.timeMs }
  const failed = ctx.fork((fork) => pay(fork, row, plan, invoice))
  return { row, plan, bill, next, invoice, failed }
}

/**
 * Charge a due subscription. A failed payment is recorded; a payment that ran out of units or trigger levels is
 * rejected.
 */
export function charge(ctx: ExecContext, one: Found): Rejection | undefined {
  const made = attempt(ctx, one)
  if (made?.failed !== undefined && isCutShort(made.failed)) return made.failed
  record(ctx, one, made)
  return undefined
}

/** Write the result of an attempt. */
function record(ctx: ExecContext, one: Found, made: Attempt | undefined): void {
  if (made === undefined) return end(ctx, one)
  const { row, plan, bill, next, invoice, failed } = made
  if (failed !== undefined) return postpone(ctx, { ...one, row }, plan, { ...invoice, paidMs: undefined }, failed)
  const paid = { ...one, row: paidRow(row, plan, bill, invoice) }
  if (row.cancelAtEnd) {
    emitCharged(ctx, paid, invoice, undefined)
    return end(ctx, paid)
  }
  const renewed = { ...one, row: inPeriod(paid.row, next) }
  // The charge stays paid even if the next run does not fit; any account can then make the next charge.
  const run = writeScheduled(ctx, chargeRun, renewed)
  emitCharged(ctx, renewed, invoice, run)
  if (row.status !== 'active') emitStatus(ctx, renewed)
}

/** Cancel a subscription and emit its status. */
function end(ctx: ExecContext, one: Found): void {
  writeCanceled(ctx, chargeRun, one)
  emitStatus(ctx, one, 'canceled')
}

/** Record a failed charge; schedule the next attempt, or suspend or cancel after the last one. */
function postpone(ctx: ExecContext, one: Found, plan: PlanRow, invoice: Invoice, failed: Rejection): void {
  const { row } = one
  const delay = plan.terms.retries[row.attempt]
  const attempt = row.attempt + 1
  const open = openInvoice(ctx, invoice, failed)
  const { number, error } = open
  const emitOutcome = (status: SubscriptionRow['status'], run: number | Rejection | undefined): void =>
    ctx.emit(events.subscriptionChargeFailed, {
      ...partiesOf(one),
      number,
      error,
      status,
      retryMs: typeof run === 'number' ? run : undefined,
    })
  if (delay !== undefined) {
    // Counted from the full minute: a run is executed slightly after it, so that its retry would be due a minute later.
    const dueMs = Math.floor(ctx.env.timeMs / MINUTE_MS) * MINUTE_MS + delay
    const late = { ...one, row: { ...row, status: 'pastDue' as const, open, attempt, dueMs } }
    return emitOutcome('pastDue', writeScheduled(ctx, chargeRun, late))
  }
  const last = { ...one, row: { ...row, status: 'suspended' as const, open, attempt, dueMs: undefined } }
  if (plan.terms.exhausted === 'cancel' || row.cancelAtEnd) {
    emitOutcome('canceled', undefined)
    return end(ctx, last)
  }
  writeScheduled(ctx, chargeRun, last)
  emitOutcome('suspended', undefined)
}
