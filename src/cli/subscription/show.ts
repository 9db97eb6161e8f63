/** Owns the display of a subscription: its fields, its invoice, and the line of its changes. */
import type { Json } from '../../codec/index.js'
import type { Columns } from '../command/columns.js'
import { type Directory, NO_NAMES } from '../gateway/directory.js'
import { textOf, type View, viewOf } from '../gateway/gateway.js'
import { termsText } from './plan.js'

/** Status for display: `past_due`. */
export const statusText = (status: string | undefined): string =>
  (status ?? '').replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()

const statusOf = (view: View): string => statusText(textOf(viewOf(view.subscription).status))

/** Asset that a subscription is charged in. */
const assetOf = (view: View): Json | undefined => viewOf(viewOf(view.plan).terms).asset

/** Amount of a subscription in the asset of its plan. */
const amountIn =
  (amountOf: (subscription: View) => Json | undefined) =>
  (view: View, _raw: View, names: Directory): string | undefined =>
    names.amount(amountOf(viewOf(view.subscription)), assetOf(view))

/** Amount and state of the open or last invoice. */
function invoiceText(view: View, names: Directory): string | undefined {
  const { invoice, reason } = viewOf(view.invoice)
  const { number, amount, paid_ms: paid, skipped, attempts } = viewOf(invoice)
  if (number === undefined) return undefined
  const gap = Number(skipped) > 0 ? `, ${textOf(skipped)} periods skipped` : ''
  const state = textOf(paid) === undefined ? `open after attempt ${textOf(attempts)}: ${textOf(reason)}` : 'paid'
  return `${textOf(number)}: ${names.amount(amount, assetOf(view))}, ${state}${gap}`
}

/** Fields of `subscription show`. */
export const subscriptionFields: Columns = {
  id: 'subscription.id',
  plan: (view) => `${textOf(viewOf(view.subscription).plan)}: ${termsText(viewOf(viewOf(view.plan).terms))}`,
  provider: 'subscription.provider',
  subscriber: 'subscription.subscriber',
  reference: 'subscription.reference',
  status: statusOf,
  entitled: (view) => (view.entitled === true ? 'yes' : 'no'),
  'ends with its period': (view) => (viewOf(view.subscription).cancel_at_end === true ? 'yes' : undefined),
  period: 'subscription.period.start_ms',
  'period ends': 'subscription.period.end_ms',
  'next charge': 'subscription.due_ms',
  'charge runs': 'subscription.run_ms',
  invoice: (view, _raw, names) => invoiceText(view, names),
  usage: 'subscription.usage',
  credit: amountIn(({ credit }) => credit),
  'paid so far': amountIn(({ spent }) => spent),
  'most a period': amountIn(({ mandate }) => viewOf(mandate).max_per_period),
  'most in all': amountIn(({ mandate }) => viewOf(mandate).total_max),
  'mandate ends': 'subscription.mandate.until_ms',
}

/** Summary of a subscription in one line. */
export function changeLine(view: View, names = NO_NAMES): string {
  const parts = [statusOf(view), invoiceText(view, names), view.entitled === true ? undefined : 'not entitled']
  return parts.filter(Boolean).join('; ')
}
