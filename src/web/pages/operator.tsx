/** Owns the page of operators: a passkey opens it; messages that wait for a decision, webhooks, evidence, passkeys. */
import { useEffect, useState } from 'preact/hooks'
import type { HeldList, IsoRecordView } from '../../features/iso20022/schema/views.js'
import type { PasskeyView } from '../../features/passkeys/schema.js'
import type { WebhookView } from '../../features/webhooks/schema.js'
import { grouped, visible, words } from '../format.js'
import type { JsonOf } from '../json.js'
import { Table } from '../parts/table.js'
import { AccountLink, Amount, Badge, ErrorNotice, Fields, Id, Link, Notice, Section, Text, Time } from '../parts/ui.js'
import { ApiError, access, errorText, post } from '../state/api.js'
import { logIn, logOut, makePasskey, passkeyFault } from '../state/operator.js'
import { useRead } from '../state/read.js'
import { useStore } from '../state/store.js'
import { Evidence } from './consensus.js'

/** What a button did, as it is said beside it. */
interface Said {
  readonly text: string
  readonly isBad: boolean
}

const textOf = (error: unknown): string =>
  error instanceof ApiError ? errorText(error) : error instanceof Error ? error.message : 'The request failed.'

interface Action {
  readonly said: Said | undefined
  readonly isBusy: boolean
  run(action: () => Promise<string>): void
}

/** Something that lasts a while, and what is said of it; at most one at a time. */
function useAction(): Action {
  const [said, say] = useState<Said | undefined>()
  const [isBusy, setBusy] = useState(false)
  const run = (action: () => Promise<string>): void => {
    if (isBusy) return
    setBusy(true)
    say(undefined)
    action()
      .then(
        (text) => say({ text, isBad: false }),
        (error: unknown) => say({ text: textOf(error), isBad: true }),
      )
      .finally(() => setBusy(false))
  }
  return { said, isBusy, run }
}

const SaidNotice = ({ said }: { readonly said: Said | undefined }) => (
  <div role="status">
    {said === undefined ? null : <Notice tone={said.isBad ? 'bad' : 'plain'}>{visible(said.text)}</Notice>}
  </div>
)

function MakePasskey({ ticket }: { readonly ticket: string }) {
  const { said, isBusy, run } = useAction()
  // The ticket leaves the address bar and the history at once: it counts for whoever has it.
  useEffect(() => window.history.replaceState(null, '', '#/operator'), [])
  return (
    <Section title="New passkey">
      <p>This browser creates a passkey for the operator who requested it. The ticket is valid once.</p>
      <p>
        <button
          type="button"
          disabled={isBusy}
          onClick={() => run(async () => `The passkey ${(await makePasskey(ticket)).label} is stored. Log in with it.`)}
        >
          Create the passkey ⏎{' '}
        </button>
      </p>
      <SaidNotice said={said} />
    </Section>
  )
}

function LogIn() {
  const { said, isBusy, run } = useAction()
  const fault = passkeyFault()
  return (
    <Section title="Log in">
      {fault === undefined ? (
        <p>
          <button
            type="button"
            disabled={isBusy}
            onClick={() =>
              run(async () => {
                await logIn()
                return 'Logged in.'
              })
            }
          >
            Log in with a passkey
          </button>
        </p>
      ) : (
        <Notice tone="warn">{fault}</Notice>
      )}
      <SaidNotice said={said} />
      <p>
        Create a passkey with <code>causeway operator passkey add</code>, which an operator key signs. ⏎{' '}
      </p>
    </Section>
  )
}

/** Reasons for which operators refuse a payment that is valid: codes of ISO's external set. */
const REFUSALS: readonly (readonly [code: string, meaning: string])[] = [
  ['NARR', 'as the text says'],
  ['AG01', 'not permitted on this account'],
  ['AC04', 'account closed'],
  ['AC06', 'account blocked'],
  ['AM04', 'insufficient funds'],
  ['AM14', 'above the agreed limit'],
  ['FF07', 'purpose invalid'],
  ['DT01', 'date invalid'],
  ['RC04', 'bank of the payee invalid'],
]
/** Longest text for the sender of a refused payment, in characters. */
const REFUSAL_TEXT_MAX = 105
/** Payments that the page shows at once: the oldest. */
const HELD_SHOWN_MAX = 50

type HeldPayment = JsonOf<IsoRecordView>

/** One payment that waits, with what an operator has to know before a decision. */
function HeldCard({ shown, run, isBusy }: { readonly shown: HeldPayment } & Pick<Action, 'run' | 'isBusy'>) {
  const [reason, choose] = useState('NARR')
  const [text, write] = useState('')
  const { message_id: id, amount, currency, family, submitter, body_hash, attempt, place } = shown
  const money = amount == null ? 'an unknown amount' : `${grouped(amount)} ${visible(currency ?? '')}`
  const decide = (what: 'release' | 'refuse', fields: object): void => {
    const payment = `${visible(id)}${place === undefined ? '' : ` number ${place}`} over ${money}`
    if (!window.confirm(`${what === 'release' ? 'Release' : 'Refuse'} the payment ${payment}?`)) return
    run(async () => {
      // The message as it is shown here: the gateway refuses a decision on another one of the same id.
      const decision = { family, submitter, body_hash, attempt, place, ...fields }
      await post(`/v1/iso20022/held/${encodeURIComponent(id)}/${what}`, decision)
      return what === 'release' ? `${id} is released.` : `${id} is refused.`
    })
  }
  const account = (of: string | null | undefined) => (of ? <AccountLink id={of} /> : undefined)
  const field = `refuse-${submitter}-${id}`
  return (
    <article class="held" aria-label={`Payment ${id}`}>
      <h3>
        {amount == null ? money : <Amount value={amount} currency={currency ?? undefined} />} {visible(currency ?? '')}
      </h3>
      <Fields
        of={[
          ['Payer', account(shown.source_account_id)],
          ['Payee', account(shown.target_account_id)],
          ['Held by rule', shown.hold_reason_code && <Text of={shown.hold_reason_code} />],
          ['Settlement date', shown.settlement_date && <Text of={shown.settlement_date} key="date" />],
          ['Received', <Time ms={shown.received_at_ms} key="received" />],
          [
            'Message',
            <Link page="payment" id={id} key="id">
              <Text of={id} />
            </Link>,
          ],
          ['End-to-end id', shown.end_to_end_id && <Text of={shown.end_to_end_id} />],
          ['Submitter', <AccountLink id={submitter} key="submitter" />],
        ]}
      />
      <div class="decision">
        <button type="button" disabled={isBusy} onClick={() => decide('release', {})}>
          Release
        </button>
        <label for={`${field}-reason`}>Reason</label>
        <select id={`${field}-reason`} value={reason} onChange={({ currentTarget: { value } }) => choose(value)}>
          {REFUSALS.map(([code, meaning]) => (
            <option key={code} value={code}>
              {code}: {meaning}
            </option>
          ))}
        </select>
        <label for={`${field}-text`}>Text for the sender</label>
        <input
          id={`${field}-text`}
          value={text}
          maxLength={REFUSAL_TEXT_MAX}
          onInput={({ currentTarget: { value } }) => write(value)}
        />
        <button
          type="button"
          disabled={isBusy}
          onClick={() => decide('refuse', { reason_code: reason, text: text === '' ? undefined : text })}
        >
          Refuse
        </button>
      </div>
    </article>
  )
}

function Held() {
  const { value, error } = useRead<JsonOf<HeldList>>('/v1/iso20022/held', {}, true)
  const { said, isBusy, run } = useAction()
  if (value === undefined) return error === undefined ? <Notice>Reading…</Notice> : <ErrorNotice error={error} />
  return (
    <>
      <SaidNotice said={said} />
      {value.items.length === 0 ? <Notice>No payment is held.</Notice> : null}
      {value.items.slice(0, HELD_SHOWN_MAX).map((shown) => (
        <HeldCard key={`${shown.submitter} ${shown.message_id}`} shown={shown} run={run} isBusy={isBusy} />
      ))}
      {value.total > HELD_SHOWN_MAX ? (
        <Notice>
          {grouped(value.total - HELD_SHOWN_MAX)} more are held; the oldest {HELD_SHOWN_MAX} are shown.
        </Notice>
      ) : null}
    </>
  )
}

function Hooks() {
  const { value, error } = useRead<{ items: readonly JsonOf<WebhookView>[] }>('/v1/webhooks', {}, true)
  if (value === undefined) return error === undefined ? <Notice>Reading…</Notice> : <ErrorNotice error={error} />
  return (
    <Table
      name="All webhooks"
      rows={value.items}
      keyOf={({ id }) => id}
      empty="This node has no webhooks."
      columns={[
        { head: 'Webhook', cell: ({ id }) => <Id of={id} /> },
        {
          head: 'State',
          cell: ({ state, reason }) => (
            <>
              <Badge tone={state === 'Active' ? 'good' : 'warn'}>{words(state)}</Badge>{' '}
              {reason === null || reason === undefined ? null : <Text of={reason} />}
            </>
          ),
        },
        { head: 'Owner', cell: ({ owner }) => <AccountLink id={owner} /> },
        { head: 'Endpoint', cell: ({ url }) => <Text of={url} /> },
        { head: 'Blocks behind', right: true, cell: ({ lag_blocks: lag }) => grouped(lag) },
        { head: 'Delivered', right: true, cell: ({ delivered }) => grouped(delivered) },
        { head: 'Refused', right: true, cell: ({ dead }) => grouped(dead) },
      ]}
    />
  )
}

function Passkeys() {
  const { value, error } = useRead<{ items: readonly JsonOf<PasskeyView>[] }>('/v1/operator/auth/passkeys')
  if (value === undefined) return error === undefined ? <Notice>Reading…</Notice> : <ErrorNotice error={error} />
  return (
    <Table
      name="Passkeys of the operators"
      rows={value.items}
      keyOf={({ id }) => id}
      empty="No passkeys."
      columns={[
        { head: 'Passkey', cell: ({ label }) => <Text of={label} /> },
        { head: 'Id', cell: ({ id }) => <Id of={id} /> },
        { head: 'Acts as', cell: ({ account }) => <AccountLink id={account} /> },
        { head: 'Made', cell: ({ created_at_ms: ms }) => <Time ms={ms} /> },
        { head: 'Last used', cell: ({ last_used_at_ms: ms }) => (typeof ms === 'number' ? <Time ms={ms} /> : 'never') },
      ]}
    />
  )
}

function Desk({ until }: { readonly until: number | undefined }) {
  // The node ends the session by itself: the page does not show what it knew of longer.
  useEffect(() => {
    const timer = window.setTimeout(
      () => access.change({ session: undefined, until: undefined }),
      Math.max(0, (until ?? 0) - Date.now()),
    )
    return () => window.clearTimeout(timer)
  }, [until])
  return (
    <>
      <p>
        Logged in until {until === undefined ? '-' : <Time ms={until} />}.{' '}
        <button type="button" onClick={() => void logOut().catch(() => undefined)}>
          Log out
        </button>
      </p>
      <Section title="Held messages">
        <Held />
      </Section>
      <Section title="Webhooks">
        <Hooks />
      </Section>
      <Section title="Evidence">
        <Evidence />
      </Section>
      <Section title="Passkeys">
        <Passkeys />
      </Section>
    </>
  )
}

export function Operator({ ticket }: { readonly ticket: string }) {
  const { session, until } = useStore(access)
  // Kept although it leaves the address at once.
  const [kept] = useState(ticket)
  if (session !== undefined) return <Desk until={until} />
  return (
    <>
      {kept === '' ? null : <MakePasskey ticket={kept} />}
      <LogIn />
    </>
  )
}
