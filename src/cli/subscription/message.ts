/** Owns the ISO 20022 notifications of charges, made from the invoices that a gateway serves. */
import type { CausewayClient } from '../../client/index.js'
import { getView, textOf, type View, viewOf, viewsOf } from '../gateway/gateway.js'
import { notificationOf, unmapped } from '../iso/written.js'

interface ChargeMessageRequest {
  readonly id: string
  /** Number of the invoice; absent: the last paid invoice. */
  readonly invoice: number | undefined
  /** Party that is notified. */
  readonly side: 'subscriber' | 'provider'
  readonly iban: string | undefined
  readonly currency: string | undefined
}

/** Paid invoice with a number, or the newest paid one. Throws `iso_unmapped` if no cash was paid. */
async function paidInvoice(client: CausewayClient, { id, invoice: number }: ChargeMessageRequest): Promise<View> {
  let cursor: string | undefined
  do {
    const query = { cursor, limit: 500 }
    const page = await getView(client, ({ subscriptions }) => subscriptions.invoices, { params: { id }, query })
    for (const item of viewsOf(page.items)) {
      const invoice = viewOf(item.invoice)
      const isPaid = textOf(invoice.paid_ms) !== undefined
      if (number === undefined ? !isPaid : Number(invoice.number) !== number) continue
      if (!isPaid) throw unmapped(`invoice ${textOf(invoice.number)} is not paid`)
      if (Number(invoice.amount) === 0) throw unmapped(`invoice ${textOf(invoice.number)} moved no cash`)
      return invoice
    }
    cursor = textOf(page.next_cursor)
  } while (cursor !== undefined)
  throw unmapped(number === undefined ? 'no invoice was paid' : `invoice ${number} does not exist on this node`)
}

/** Flat pairs of the camt.054 of a paid charge. Throws `iso_unmapped` if there is none, or if a binding is missing. */
export async function chargeMessageOf(client: CausewayClient, request: ChargeMessageRequest) {
  const { id, side, iban, currency } = request
  const invoice = await paidInvoice(client, request)
  const { subscription, plan } = await getView(client, (routes) => routes.subscriptions.show, {
    params: { id },
  })
  return notificationOf(client, {
    account: textOf(viewOf(subscription)[side]),
    cash: textOf(viewOf(viewOf(plan).terms).asset),
    id: `CHARGE-${id.slice(0, 16)}-${textOf(invoice.number)}`,
    iban,
    currency,
    amount: textOf(invoice.amount) ?? '',
    direction: side === 'subscriber' ? 'DBIT' : 'CRDT',
    timeMs: Number(invoice.paid_ms),
    reference: textOf(viewOf(subscription).reference) ?? '',
  })
}
