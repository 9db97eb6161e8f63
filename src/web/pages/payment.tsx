/** Owns the page of a message: its payment, or for several payments their counts, sums and list. */
import type { IsoPaymentView, IsoRecordView, IsoStatusCount } from '../../features/iso20022/schema/views.js'
import { grouped, visible } from '../format.js'
import type { JsonOf, PageOf } from '../json.js'
import { type Column, Listed, Table } from '../parts/table.js'
import {
  AccountLink,
  Amount,
  Badge,
  DefinitionLink,
  ErrorNotice,
  Fields,
  Id,
  Notice,
  Section,
  Text,
  Time,
  type Tone,
} from '../parts/ui.js'
import { hrefOf } from '../route.js'
import { place } from '../state/place.js'
import { useRead } from '../state/read.js'

type Message = JsonOf<IsoRecordView>
type Payment = JsonOf<IsoPaymentView>
type Count = JsonOf<IsoStatusCount>

/** Payments per page of the list. */
const PAGE = 100

const TONES: Readonly<Record<string, Tone>> = {
  Accepted: 'good',
  Settled: 'good',
  Rejected: 'bad',
  Held: 'warn',
  Partial: 'warn',
  Pending: 'warn',
}

/** Texts of payment codes. */
const CODES: Readonly<Record<string, readonly [Tone, string]>> = {
  ACTC: ['plain', 'recorded'],
  ACSP: ['plain', 'queued'],
  ACSC: ['good', 'settled'],
  RJCT: ['bad', 'rejected'],
  PDNG: ['warn', 'held'],
  ACWC: ['warn', 'held, changed'],
}

function Code({ of }: { readonly of: string }) {
  const [tone, meaning] = CODES[of] ?? ['plain', 'unknown']
  return (
    <Badge tone={tone}>
      {meaning} ({of})
    </Badge>
  )
}

type Absent = null | undefined
const optional = (text: string | Absent) => (text == null ? undefined : <Text of={text} />)
const account = (id: string | Absent) => (id == null ? undefined : <AccountLink id={id} />)
const transaction = (hash: string | Absent) => (hash == null ? undefined : <Id of={hash} page="transaction" />)
const money = ({ amount, currency, asset_definition_id: asset }: Pick<Message, keyof Payment & keyof Message>) =>
  amount == null ? undefined : <Amount value={amount} asset={asset ?? undefined} currency={currency ?? undefined} />

const countColumns: readonly Column<Count>[] = [
  { head: 'Status', cell: ({ pacs002_code: code }) => <Code of={code} /> },
  { head: 'Payments', right: true, cell: ({ number_of_transactions: number }) => grouped(number) },
  {
    head: 'Sums',
    right: true,
    cell: ({ sums }) =>
      sums.length === 0 ? null : (
        <span>
          {sums.map(({ amount, currency }) => (
            <div key={currency}>
              <Amount value={amount} currency={currency} /> {currency}
            </div>
          ))}
        </span>
      ),
  },
]

const paymentColumns: readonly Column<Payment>[] = [
  { head: 'Place', right: true, cell: ({ place: at }) => grouped(at) },
  { head: 'Status', cell: ({ pacs002_code: code }) => <Code of={code} /> },
  { head: 'Amount', right: true, cell: money },
  { head: 'Currency', cell: ({ currency }) => currency },
  { head: 'From', cell: (one) => account(one.source_account_id) },
  { head: 'To', cell: (one) => account(one.target_account_id) },
  {
    head: 'Reason',
    cell: ({ rejection_reason_code: rejection, hold_reason_code: held, detail }) => {
      const reason = [rejection ?? held, detail].filter((one) => one != null).join(' ')
      return reason === '' ? null : (
        <span title={visible(reason)}>
          <Text of={reason} />
        </span>
      )
    },
  },
  { head: 'Transaction', cell: (one) => transaction(one.transaction_hash) },
  { head: 'End-to-end id', cell: (one) => optional(one.end_to_end_id) },
  { head: 'Instruction id', cell: (one) => optional(one.instruction_id) },
  { head: 'Transaction id', cell: (one) => optional(one.sender_transaction_id) },
  { head: 'UETR', cell: (one) => optional(one.uetr) },
]

/** Payments of a message with several, by their position in it. */
function MessagePayments({ id, counts }: { readonly id: string; readonly counts: readonly Count[] }) {
  const { cursor, status } = place.value.query
  const path = `/v1/iso20022/status/${encodeURIComponent(id)}/transactions`
  const asked = { status, cursor, limit: PAGE }
  const read = useRead<Pick<PageOf<Payment>, 'items' | 'next_cursor'>>(path, asked, cursor === undefined)
  const codes = new Set([...counts.map(({ pacs002_code: code }) => code), ...(status === undefined ? [] : [status])])
  return (
    <Section
      title="Payments of this message"
      aside={
        <nav class="choices" aria-label="Status">
          {['', ...codes].map((code) => (
            <a
              key={code}
              href={hrefOf('payment', id, { status: code })}
              aria-current={(status ?? '') === code ? 'true' : undefined}
            >
              {code === '' ? 'All' : visible(code)}
            </a>
          ))}
        </nav>
      }
    >
      <Listed
        page="payment"
        id={id}
        name="Payments of this message"
        read={read}
        columns={paymentColumns}
        keyOf={({ place: at }) => at}
        empty="No payment of this message has this status."
      />
    </Section>
  )
}

export function PaymentPage({ id }: { readonly id: string }) {
  const path = `/v1/iso20022/status/${encodeURIComponent(id)}`
  const { value: one, error } = useRead<Message>(path, {}, true)
  if (one === undefined) return error === undefined ? <Notice>Reading…</Notice> : <ErrorNotice error={error} />
  const { number_of_transactions: payments, status_counts: counts, transaction_hashes: hashes } = one
  return (
    <>
      <Section title={payments == null ? 'Payment' : `Message of ${grouped(payments)} payments`}>
        <Fields
          of={[
            ['Message id', <Text of={one.message_id} key="id" />],
            [
              'Status',
              <Badge tone={TONES[one.status] ?? 'plain'} key="status">
                {one.status === 'Accepted' ? 'settled' : one.status.toLowerCase()} ({one.pacs002_code})
              </Badge>,
            ],
            ['Detail', optional(one.detail)],
            ['Reason', optional(one.rejection_reason_code ?? one.hold_reason_code)],
            [payments == null ? 'Amount' : 'Sum', money(one)],
            ['Currency', one.currency],
            ['Asset', one.asset_definition_id && <DefinitionLink id={one.asset_definition_id} key="asset" />],
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
            [(hashes?.length ?? 0) > 1 ? 'First transaction' : 'Transaction', transaction(one.transaction_hash)],
          ]}
        />
      </Section>
      {counts == null ? null : (
        <>
          <Section title="By status">
            <Table
              name="Payments by status"
              rows={counts}
              columns={countColumns}
              keyOf={({ pacs002_code: code }) => code}
            />
          </Section>
          <MessagePayments id={id} counts={counts} />
        </>
      )}
    </>
  )
}
