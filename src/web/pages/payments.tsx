/** Owns the list of payments: ISO 20022 messages decided by blocks. */
import type { PaymentItem } from '../../features/explorer/schema/payments.js'
import { grouped, visible } from '../format.js'
import type { JsonOf, PageOf } from '../json.js'
import { type Column, Listed } from '../parts/table.js'
import { AccountLink, Amount, BlockLink, Link, Outcome, Section, Text, Time } from '../parts/ui.js'
import { place } from '../state/place.js'
import { useRead } from '../state/read.js'

type Item = JsonOf<PaymentItem>

export const paymentColumns: readonly Column<Item>[] = [
  {
    head: 'Message',
    cell: ({ message_id: id, place, payments }) => (
      <span>
        <Link page="payment" id={id}>
          <Text of={id} />
        </Link>
        {payments === 1 ? null : ` ${grouped(place)} of ${grouped(payments)}`}
      </span>
    ),
  },
  { head: 'Outcome', cell: ({ rejection }) => <Outcome rejection={rejection} success="settled" /> },
  { head: 'Amount', right: true, cell: ({ amount, currency }) => <Amount value={`${amount}`} currency={currency} /> },
  { head: 'Currency', cell: ({ currency }) => currency },
  { head: 'From', cell: ({ source }) => <AccountLink id={source} /> },
  { head: 'To', cell: ({ target }) => <AccountLink id={target} /> },
  { head: 'Family', cell: ({ family }) => family.toLowerCase() },
  { head: 'Time', cell: ({ time_ms: ms }) => <Time ms={ms} /> },
  { head: 'Block', right: true, cell: ({ height }) => <BlockLink height={height} /> },
]

/** Key of a payment; one transaction may make several payments. */
export const paymentKey = ({ transaction_hash: hash, position }: Item): string => `${hash} ${position}`

export function Payments() {
  const { cursor, reference } = place.value.query
  const read = useRead<PageOf<Item>>('/v1/explorer/payments', { reference, cursor, limit: 100 }, cursor === undefined)
  return (
    <Section title={`Payments${reference === undefined ? '' : ` of ${visible(reference)}`}, newest first`}>
      <Listed
        page="payments"
        name="Payments"
        read={read}
        columns={paymentColumns}
        keyOf={paymentKey}
        empty="No payment message yet. Search finds a message by its id, also while it is queued."
        isHistory
      />
    </Section>
  )
}
