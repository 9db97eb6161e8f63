/** Owns the held payments, by message, and the decisions on one of them or on all of a message. */
import { useState } from 'preact/hooks'
import type { HeldList } from '../../features/iso20022/schema/views.js'
import { count, grouped, visible } from '../format.js'
import { type HeldMessage, type HeldPayment, messageKey, messagesOf, moneyText } from '../held-messages.js'
import type { JsonOf } from '../json.js'
import { type Action, ActionResult, useAction } from '../parts/action.js'
import { AccountLink, Amount, ErrorNotice, Fields, Link, Notice, Text, Time } from '../parts/ui.js'
import { post } from '../state/api.js'
import { useRead } from '../state/read.js'

/** Reasons for the refusal of a valid payment: codes of ISO's external set. */
const REFUSALS: readonly (readonly [code: string, meaning: string])[] = [
  ['NARR', 'see the text'],
  ['AG01', 'not permitted on this account'],
  ['AC04', 'account closed'],
  ['AC06', 'account blocked'],
  ['AM04', 'insufficient funds'],
  ['AM14', 'above the agreed limit'],
  ['FF07', 'purpose invalid'],
  ['DT01', 'date invalid'],
  ['RC04', 'bank of the payee invalid'],
]
/** Maximum length of the text for the sender of a refused payment, in characters. */
const REFUSAL_TEXT_MAX = 105
/** Maximum messages on the page, and maximum payments of each; the oldest are shown. */
const MESSAGES_SHOWN_MAX = 50
const PAYMENTS_SHOWN_MAX = 20

type Running = Pick<Action, 'run' | 'isBusy'>

/** Release or refuse payments of one message: the one at a position, or all held ones. */
function Decision({
  of,
  subject,
  place,
  run,
  isBusy,
}: Running & { readonly of: HeldMessage; readonly subject: string; readonly place?: HeldPayment['place'] }) {
  const [reason, choose] = useState('NARR')
  const [text, write] = useState('')
  const [{ message_id: id, family, submitter, body_hash }] = of
  const isAll = of.length > 1
  const decide = (what: 'release' | 'refuse', fields: object): void => {
    if (!window.confirm(`${what === 'release' ? 'Release' : 'Refuse'} ${subject} over ${moneyText(of)}?`)) return
    run(async () => {
      // Identifies the displayed message: the gateway refuses a decision on another one with the same id.
      const attempt = Math.max(...of.map((one) => one.attempt ?? 0))
      const decision = { family, submitter, body_hash, attempt, place, ...fields }
      await post(`/v1/iso20022/held/${encodeURIComponent(id)}/${what}`, decision)
      return `${what === 'release' ? 'Released' : 'Refused'}: ${subject} over ${moneyText(of)}.`
    })
  }
  const field = `refuse-${messageKey(of[0])}-${place ?? 'all'}`
  return (
    <div class="decision">
      <button type="button" disabled={isBusy} onClick={() => decide('release', {})}>
        {isAll ? 'Release all' : 'Release'}
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
        {isAll ? 'Refuse all' : 'Refuse'}
      </button>
    </div>
  )
}

/** Text of the position of a payment in its message; undefined for the only one. */
const placeText = ({ place, number_of_transactions: payments }: HeldPayment): string | undefined =>
  place == null || payments == null ? undefined : `payment ${grouped(place)} of ${grouped(payments)}`

/** Held payment, with the facts for a decision. */
function HeldCard({ shown, ...running }: Running & { readonly shown: HeldPayment }) {
  const { message_id: id, amount, currency, place } = shown
  const account = (of: string | null | undefined) => (of ? <AccountLink id={of} /> : undefined)
  const within = placeText(shown)
  const subject = within === undefined ? `the payment ${visible(id)}` : `${within} of the message ${visible(id)}`
  return (
    <article class="held" aria-label={subject}>
      <h3>
        {amount == null ? 'Unknown amount' : <Amount value={amount} currency={currency ?? undefined} />}{' '}
        {visible(currency ?? '')}
      </h3>
      <Fields
        of={[
          ['Place', within],
          ['Payer', account(shown.source_account_id)],
          ['Payee', account(shown.target_account_id)],
          ['Held by rule', shown.hold_reason_code && <Text of={shown.hold_reason_code} />],
          ['Settlement date', shown.settlement_date && <Text of={shown.settlement_date} key="date" />],
          ['Received', <Time ms={shown.received_at_ms} key="received" />],
          ['Message', <MessageLink id={id} key="id" />],
          ['End-to-end id', shown.end_to_end_id && <Text of={shown.end_to_end_id} />],
          ['Submitter', <AccountLink id={shown.submitter} key="submitter" />],
        ]}
      />
      <Decision of={[shown]} subject={subject} place={place} {...running} />
    </article>
  )
}

const MessageLink = ({ id }: { readonly id: string }) => (
  <Link page="payment" id={id}>
    <Text of={id} />
  </Link>
)

/** Several held payments of one message: decided together, or individually. */
function HeldGroup({ of, isWhole, ...running }: Running & { readonly of: HeldMessage; readonly isWhole: boolean }) {
  const [first] = of
  const { message_id: id, number_of_transactions: payments } = first
  const held = isWhole ? `all ${grouped(of.length)} held payments` : 'all held payments'
  const subject = `${held} of the message ${visible(id)}`
  return (
    <article class="held" aria-label={subject}>
      <h3>{moneyText(of)}</h3>
      <Fields
        of={[
          ['Message', <MessageLink id={id} key="id" />],
          ['Held', `${isWhole ? '' : 'at least '}${grouped(of.length)} of ${count(payments ?? of.length, 'payment')}`],
          ['Submitter', <AccountLink id={first.submitter} key="submitter" />],
        ]}
      />
      <Decision of={of} subject={subject} {...running} />
      <details>
        <summary>Payments one by one</summary>
        {of.slice(0, PAYMENTS_SHOWN_MAX).map((shown) => (
          <HeldCard key={shown.place} shown={shown} {...running} />
        ))}
        <More than={PAYMENTS_SHOWN_MAX} are={of.length} noun="payment" />
      </details>
    </article>
  )
}

/** Text with the number of items not shown. */
const More = ({ than, are, noun }: { readonly than: number; readonly are: number; readonly noun: string }) =>
  are <= than ? null : (
    <Notice>
      {count(are - than, `more ${noun}`)} {are - than === 1 ? 'is' : 'are'} held; the first {than} are shown.
    </Notice>
  )

export function HeldPayments() {
  const [turn, next] = useState(0)
  const { value, error } = useRead<JsonOf<HeldList>>('/v1/iso20022/held', {}, true, turn)
  const { notice, isBusy, run: start } = useAction()
  // A refusal creates no block that would refresh the list.
  const run: Action['run'] = (action) => start(() => action().finally(() => next((before) => before + 1)))
  if (value === undefined) return error === undefined ? <Notice>Reading…</Notice> : <ErrorNotice error={error} />
  const messages = messagesOf(value.items)
  /** True if the list is complete; otherwise further payments are held. */
  const isWhole = value.items.length === value.total
  const running = { run, isBusy }
  return (
    <>
      <ActionResult notice={notice} />
      {messages.length === 0 ? <Notice>No payment is held.</Notice> : null}
      {messages
        .slice(0, MESSAGES_SHOWN_MAX)
        .map((of) =>
          of.length > 1 ? (
            <HeldGroup key={messageKey(of[0])} of={of} isWhole={isWhole} {...running} />
          ) : (
            <HeldCard key={`${messageKey(of[0])} ${of[0].place}`} shown={of[0]} {...running} />
          ),
        )}
      <More than={MESSAGES_SHOWN_MAX} are={messages.length} noun="message" />
      {isWhole ? null : <Notice>{count(value.total, 'payment')} are held; the oldest are listed.</Notice>}
    </>
  )
}
