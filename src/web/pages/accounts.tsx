/** Owns the pages of accounts: who there is, what one holds, its statement. */
import type { AccountItem, AccountView } from '../../features/accounts/schema.js'
import type { TransactionItem } from '../../features/explorer/schema/history.js'
import type { PaymentItem } from '../../features/explorer/schema/payments.js'
import type { Movement } from '../../features/explorer/schema/statement.js'
import { sum, words } from '../format.js'
import type { JsonOf, PageOf } from '../json.js'
import { type Column, Listed, ReadTable, Table } from '../parts/table.js'
import {
  AccountLink,
  Amount,
  BlockLink,
  DefinitionLink,
  ErrorNotice,
  Fields,
  Id,
  Json,
  Notice,
  Section,
  Text,
  Time,
} from '../parts/ui.js'
import { hrefOf } from '../route.js'
import { place } from '../state/place.js'
import { useRead } from '../state/read.js'
import { paymentColumns } from './payments.js'
import { transactionColumns } from './transactions.js'

const labelOf = ({ label, domain }: Pick<JsonOf<AccountItem>, 'label' | 'domain'>): string | undefined =>
  label === null || label === undefined ? undefined : `${label}@${domain}`

const accountColumns: readonly Column<JsonOf<AccountItem>>[] = [
  { head: 'Account', cell: (one) => <AccountLink id={one.id} label={labelOf(one)} /> },
  { head: 'Domain', cell: ({ domain }) => <Text of={domain} /> },
  { head: 'Address', cell: ({ id }) => <Id of={id} /> },
]

export function Accounts() {
  const { cursor } = place.value.query
  const read = useRead<PageOf<JsonOf<AccountItem>>>(
    '/v1/explorer/accounts',
    { cursor, limit: 100 },
    cursor === undefined,
  )
  return (
    <Section title="Accounts">
      <Listed page="accounts" name="Accounts" read={read} columns={accountColumns} keyOf={({ id }) => id} />
    </Section>
  )
}

const movementColumns: readonly Column<JsonOf<Movement>>[] = [
  { head: 'Time', cell: ({ time_ms: ms }) => <Time ms={ms} /> },
  { head: 'What', cell: ({ kind }) => words(kind.toLowerCase()) },
  {
    head: 'With',
    cell: ({ counterparty }) =>
      counterparty === null || counterparty === undefined ? '–' : <AccountLink id={counterparty} />,
  },
  {
    head: 'Reference',
    cell: ({ reference }) => (reference === null || reference === undefined ? '–' : <Text of={reference} />),
  },
  {
    head: 'Amount',
    right: true,
    cell: ({ side, amount }) => (
      <span class={side === 'Credit' ? 'credit' : 'debit'}>
        {side === 'Credit' ? '+' : '−'}
        <Amount value={amount} />
      </span>
    ),
  },
  { head: 'Balance', right: true, cell: ({ balance }) => <Amount value={balance} /> },
  { head: 'Asset', cell: ({ definition }) => <DefinitionLink id={definition} /> },
  { head: 'Block', right: true, cell: ({ height }) => <BlockLink height={height} /> },
]

/** Balances before the first movement of each asset on a page of a statement, without those of nothing. */
const openingsOf = (movements: readonly JsonOf<Movement>[]) =>
  [...new Map([...movements].reverse().map((one) => [one.definition, one])).values()]
    .map(({ definition, side, amount, balance }) => ({
      definition,
      amount: sum(balance, side === 'Credit' ? `-${amount}` : amount),
    }))
    .filter(({ amount }) => Number(amount) !== 0)

/** What an account had before the movements of a page. */
function Openings({ movements }: { readonly movements: readonly JsonOf<Movement>[] }) {
  const openings = openingsOf(movements)
  return openings.length === 0 ? null : (
    <p>
      Opening balance:{' '}
      {openings.map(({ definition, amount }, at) => (
        <span key={definition}>
          {at === 0 ? '' : ', '}
          <Amount value={amount} of={definition} />
        </span>
      ))}
    </p>
  )
}

/** How far back a statement goes, in days; it is read from its oldest movement on. */
const PERIODS = [
  ['1', 'Day'],
  ['30', '30 days'],
  ['', 'All'],
] as const
const DAY_MS = 86_400_000

const Periods = ({ id, days }: { readonly id: string; readonly days: string | undefined }) => (
  <nav class="choices" aria-label="Period of the statement">
    {PERIODS.map(([value, name]) => (
      <a
        key={name}
        href={hrefOf('account', id, { days: value })}
        aria-current={(days ?? '') === value ? 'true' : undefined}
      >
        {name}
      </a>
    ))}
  </nav>
)

const NONE = { items: [], next_cursor: null, height: 0 }

export function AccountPage({ id }: { readonly id: string }) {
  const path = `/v1/accounts/${encodeURIComponent(id)}`
  const { cursor, days } = place.value.query
  // A whole hour, so that pages of one period are of one list.
  const fromMs = days && (Math.floor(Date.now() / 3_600_000) * 3_600_000 - Number(days) * DAY_MS || undefined)
  const { value: account, error } = useRead<JsonOf<AccountView>>(path, {}, true)
  const own = account === undefined ? undefined : path
  const statement = useRead<PageOf<JsonOf<Movement>>>(
    own && `${own}/statement`,
    { cursor, from_ms: fromMs, limit: 100 },
    true,
  )
  const signed = useRead<PageOf<JsonOf<TransactionItem>>>(own && `${own}/transactions`, { limit: 20 }, true)
  const paid = useRead<PageOf<JsonOf<PaymentItem>>>(own && '/v1/explorer/payments', { account: account?.id, limit: 20 })
  if (account === undefined) return error === undefined ? <Notice>Reading…</Notice> : <ErrorNotice error={error} />
  const payments = (paid.value ?? NONE).items
  return (
    <>
      <Section title="Account">
        <Fields
          of={[
            ['Alias', labelOf(account) && <Text of={labelOf(account) ?? ''} />],
            ['Address', <Id of={account.id} whole key="id" />],
            ['Domain', <Text of={account.domain} key="domain" />],
          ]}
        />
        {Object.keys(account.metadata).length === 0 ? null : (
          <details>
            <summary>Metadata</summary>
            <Json of={account.metadata} />
          </details>
        )}
      </Section>
      <Section title="Balances">
        <Table
          name="Balances"
          rows={account.balances}
          keyOf={({ definition }) => definition}
          empty="This account holds nothing."
          columns={[
            { head: 'Asset', cell: ({ definition }) => <DefinitionLink id={definition} /> },
            { head: 'Amount', right: true, cell: ({ amount }) => <Amount value={amount} /> },
          ]}
        />
        {account.more_balances === true ? <Notice>There are more than are shown here.</Notice> : null}
      </Section>
      <Section title="Statement, oldest first" aside={<Periods id={id} days={days} />}>
        <Openings movements={statement.value?.items ?? []} />
        <Listed
          isHistory
          page="account"
          id={id}
          name="Statement"
          read={statement}
          columns={movementColumns}
          keyOf={(one, at) => `${one.height}.${at}`}
          empty="Nothing moved yet."
        />
      </Section>
      {payments.length === 0 ? null : (
        <Section title="Payments">
          <Table
            name="Payments of this account"
            rows={payments}
            columns={paymentColumns}
            keyOf={({ transaction_hash: hash }) => hash}
          />
        </Section>
      )}
      <Section title="Signed by this account">
        <ReadTable
          name="Transactions that this account signed"
          read={signed}
          columns={transactionColumns}
          keyOf={({ hash }) => hash}
          empty="It signed nothing yet."
        />
      </Section>
    </>
  )
}
