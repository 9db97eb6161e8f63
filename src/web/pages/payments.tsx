/** Owns the pages of payments: ISO 20022 messages and their status. */
import type { PaymentItem } from '../../features/explorer/schema/payments.js'
import type { IsoRecordView } from '../../features/iso20022/schema/views.js'
import { visible } from '../format.js'
import type { JsonOf, PageOf } from '../json.js'
import { type Column, Listed } from '../parts/table.js'
import {
  AccountLink,
  Amount,
  Badge,
  BlockLink,
  ErrorNotice,
  Fields,
  Id,
  Link,
  Notice,
  Outcome,
  Section,
  Text,
  Time,
  type Tone,
} from '../parts/ui.js'
import { place } from '../state/place.js'
import { useRead } from '../state/read.js'

type Item = JsonOf<PaymentItem>

export const paymentColumns: readonly Column<Item>[] = [
  {
    head: 'Message',
    cell: ({ message_id: id }) => (
      <Link page="payment" id={id}>
        <Text of={id} />
      </Link>
    ),
  },
  { head: 'Outcome', cell: ({ rejection }) => <Outcome rejection={rejection} /> },
  { head: 'Amount', right: true, cell: ({ amount, currency }) => <Amount value={`${amount}`} currency={currency} /> },
  { head: 'Currency', cell: ({ currency }) => currency },
  { head: 'From', cell: ({ source }) => <AccountLink id={source} /> },
  { head: 'To', cell: ({ target }) => <AccountLink id={target} /> },
  { head: 'Family', cell: ({ family }) => family.toLowerCase() },
  { head: 'Time', cell: ({ time_ms: ms }) => <Time ms={ms} /> },
  { head: 'Block', right: true, cell: ({ height }) => <BlockLink height={height} /> },
]

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
        keyOf={({ transaction_hash: hash }) => hash}
        empty="No payment message yet. Search finds a message by its id, also while it is queued."
        isHistory
      />
    </Section>
  )
}

const TONES: Readonly<Record<string, Tone>> = { Accepted: 'good', Rejected: 'bad', Pending: 'warn' }

export function PaymentPage({ id }: { readonly id: string }) {
  const path = `/v1/iso20022/status/${encodeURIComponent(id)}`
  const { value: one, error } = useRead<JsonOf<IsoRecordView>>(path, {}, true)
  if (one === undefined) return error === undefined ? <Notice>Reading…</Notice> : <ErrorNotice error={error} />
  const optional = (text: string | null | undefined) =>
    text === null || text === undefined ? undefined : <Text of={text} />
  const account = (of: string | null | undefined) =>
    of === null || of === undefined ? undefined : <AccountLink id={of} />
  return (
    <Section title="Payment">
      <Fields
        of={[
          ['Message id', <Text of={one.message_id} key="id" />],
          [
            'Status',
            <Badge tone={TONES[one.status] ?? 'plain'} key="status">
              {one.status.toLowerCase()} ({one.pacs002_code})
            </Badge>,
          ],
          ['Why', optional(one.detail)],
          ['Reason', optional(one.rejection_reason_code ?? one.hold_reason_code)],
          [
            'Amount',
            one.amount == null ? undefined : (
              <Amount
                value={one.amount}
                currency={one.currency ?? undefined}
                key="amount"
                {...(one.asset_definition_id ? { of: one.asset_definition_id } : {})}
              />
            ),
          ],
          ['Currency', one.currency],
          ['From', account(one.source_account_id)],
          ['To', account(one.target_account_id)],
          ['Submitted by', account(one.submitter)],
          ['Family', one.family.toLowerCase()],
          ['Settlement date', one.settlement_date],
          ['End-to-end id', optional(one.end_to_end_id)],
          ['Instruction id', optional(one.instruction_id)],
          ['UETR', optional(one.uetr)],
          ['Received', <Time ms={one.received_at_ms} key="received" />],
          ['Updated', <Time ms={one.updated_at_ms} key="updated" />],
          [
            'Transaction',
            one.transaction_hash === null || one.transaction_hash === undefined ? undefined : (
              <Id of={one.transaction_hash} page="transaction" key="transaction" />
            ),
          ],
        ]}
      />
    </Section>
  )
}
