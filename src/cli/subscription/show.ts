/** Owns the display of a subscription: its fields, its invoice, and the line of its changes. */
import type { Columns } from '../command/columns.js'
import { textOf, type View, viewOf } from '../gateway/gateway.js'
import { termsText } from './plan.js'

/** Status for display: `past_due`. */
export const statusText = (status: string | undefined): string =>
  (status ?? '').replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()

const statusOf = (view: View): string => statusText(textOf(viewOf(view.subscription).status))

/** Amount and state of the open or last invoice. */
export function invoiceText({ invoice, reason }: View): string | undefined {
  const { number, amount, paid_ms: paid, skipped, attempts } = viewOf(invoice)
  if (number === undefined) return undefined
  const gap = Number(skipped) > 0 ? `, ${textOf(skipped)} periods skipped` : ''
  const state = textOf(paid) === undefined ? `open after attempt ${textOf(attempts)}: ${textOf(reason)}` : 'paid'
  return `${textOf(number)}: ${textOf(amount)}, ${state}${gap}`
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
  invoice: (view) => invoiceText(viewOf(view.invoice)),
  usage: 'subscription.usage',
  credit: 'subscription.credit',
  'paid so far': 'subscription.spent',
  'most a period': 'subscription.mandate.max_per_period',
  'most in all': 'subscription.mandate.total_max',
  'mandate ends': 'subscription.mandate.until_ms',
}

/** Summary of a subscription in one line. */
export function changeLine(view: View): string {
  const parts = [statusOf(view), invoiceText(viewOf(view.invoice)), view.entitled === true ? undefined : 'not entitled']
  return parts.filter(Boolean).join('; ')
}
