/** Owns the pages of accounts: list, balances, statement. */
import { useEffect, useState } from 'preact/hooks'
import type { AccountItem, AccountView } from '../../features/accounts/schema.js'
import type { TransactionItem } from '../../features/explorer/schema/history.js'
import type { PaymentItem } from '../../features/explorer/schema/payments.js'
import type { Movement } from '../../features/explorer/schema/statement.js'
import { sum, words } from '../format.js'
import type { JsonOf, PageOf } from '../json.js'
import type { Read } from '../kept.js'
import { type Column, heldFrom, Listed, ReadTable, Table } from '../parts/table.js'
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
import { ApiError, get } from '../state/api.js'
import { live } from '../state/live.js'
import { place } from '../state/place.js'
import { useRead } from '../state/read.js'
import { useStore } from '../state/store.js'
import { newestIn, oldestFrom, type ReadPeriod, type StatementPage } from '../statement.js'
import { GuestOf } from './guests.js'
import { NamesOf } from './names.js'
import { paymentColumns, paymentKey } from './payments.js'
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
    cell: ({ side, amount, definition }) => (
      <span class={side === 'Credit' ? 'credit' : 'debit'}>
        {side === 'Credit' ? '+' : '−'}
        <Amount value={amount} asset={definition} />
      </span>
    ),
  },
  { head: 'Balance', right: true, cell: ({ balance, definition }) => <Amount value={balance} asset={definition} /> },
  { head: 'Asset', cell: ({ definition }) => <DefinitionLink id={definition} /> },
  { head: 'Block', right: true, cell: ({ height }) => <BlockLink height={height} /> },
]

/** Balances before the first movement of each asset on a page of a statement, without zero balances. */
const openingsOf = (movements: readonly JsonOf<Movement>[]) =>
  [...new Map([...movements].reverse().map((one) => [one.definition, one])).values()]
    .map(({ definition, side, amount, balance }) => ({
      definition,
      amount: sum(balance, side === 'Credit' ? `-${amount}` : amount),
    }))
    .filter(({ amount }) => Number(amount) !== 0)

/** Balances of an account before the movements of a page. */
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

/** Margin after the current time up to which movements are read, in ms, since the clock of the chain may be ahead. */
const AHEAD_MS = 60_000

/** Page of a statement from the address; the newest page is refreshed as the chain grows. */
function useStatement(path: string): Read<StatementPage<JsonOf<Movement>>> {
  const { until, since } = place.value.query
  const { firstHeight, status } = useStore(live, STATEMENT_MS)
  const isNewest = until === undefined && since === undefined
  const [state, set] = useState<Read<StatementPage<JsonOf<Movement>>>>({ value: undefined, error: undefined })
  useEffect(() => {
    const stop = new AbortController()
    const read: ReadPeriod<JsonOf<Movement>> = async (fromMs, toMs, limit) => {
      const ask = (from: number | undefined) =>
        get<PageOf<JsonOf<Movement>>>(`${path}/statement`, { from_ms: from, to_ms: toMs, limit }, stop.signal)
      // Without a start, a pruned node responds from the beginning of its history.
      const page = await ask(fromMs <= 0 ? undefined : fromMs).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'history_pruned') return ask(undefined)
        throw error
      })
      return { items: page.items, isWhole: page.next_cursor === null }
    }
    const endMs = Date.now() + AHEAD_MS
    const found =
      since === undefined ? newestIn(read, 0, Number(until ?? endMs)) : oldestFrom(read, Number(since), endMs)
    found.then(
      (value) => set({ value, error: undefined }),
      (error: unknown) => {
        if (!stop.signal.aborted) set((old) => ({ value: old.value, error }))
      },
    )
    return () => stop.abort()
  }, [path, until, since, firstHeight, isNewest ? status?.height : undefined])
  return state
}

/** Minimum interval between reads of the newest page of a statement, in ms. */
const STATEMENT_MS = 5_000

/** Movements newest first, with links to older and newer ones, and the balances before them. */
function Statement({ path, id }: { readonly path: string; readonly id: string }) {
  const { value, error } = useStatement(path)
  const { firstHeight } = useStore(live, STATEMENT_MS)
  const { until, since } = place.value.query
  const isNewest = until === undefined && since === undefined
  return (
    <Section title="Statement, newest first">
      <ErrorNotice error={error} />
      {value === undefined ? (
        error === undefined && <Notice>Reading…</Notice>
      ) : (
        <>
          <Table
            name="Statement"
            rows={[...value.items].reverse()}
            columns={movementColumns}
            keyOf={(one, at) => `${one.height}.${at}`}
            empty="No movements yet."
          />
          <Openings movements={value.items} />
          {firstHeight > 1 ? <Notice>{heldFrom(firstHeight)}</Notice> : null}
          <nav class="pager" aria-label="Pages of the statement">
            {isNewest ? null : <a href={hrefOf('account', id)}>Newest</a>}
            {isNewest ? null : <a href={hrefOf('account', id, { since: String(value.toMs) })}>Newer</a>}
            {value.fromMs <= 0 ? null : <a href={hrefOf('account', id, { until: String(value.fromMs) })}>Older</a>}
          </nav>
        </>
      )}
    </Section>
  )
}

const NONE = { items: [], next_cursor: null, height: 0 }

export function AccountPage({ id }: { readonly id: string }) {
  const path = `/v1/accounts/${encodeURIComponent(id)}`
  const { value: account, error } = useRead<JsonOf<AccountView>>(path, {}, true)
  const own = account === undefined ? undefined : path
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
          empty="This account has no balances."
          columns={[
            { head: 'Asset', cell: ({ definition }) => <DefinitionLink id={definition} /> },
            {
              head: 'Amount',
              right: true,
              cell: ({ amount, definition }) => <Amount value={amount} asset={definition} />,
            },
          ]}
        />
        {account.more_balances === true ? <Notice>More items exist than are shown here.</Notice> : null}
      </Section>
      <NamesOf account={account.id} />
      <GuestOf account={account.id} />
      <Statement path={path} id={id} />
      {payments.length === 0 ? null : (
        <Section title="Payments">
          <Table name="Payments of this account" rows={payments} columns={paymentColumns} keyOf={paymentKey} />
        </Section>
      )}
      <Section title="Signed by this account">
        <ReadTable
          name="Transactions that this account signed"
          read={signed}
          columns={transactionColumns}
          keyOf={({ hash }) => hash}
          empty="No signed transactions yet."
        />
      </Section>
    </>
  )
}
