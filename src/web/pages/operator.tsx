/** Owns the page of operators, opened with a passkey: held payments, webhooks, evidence, passkeys. */
import { useEffect, useState } from 'preact/hooks'
import type { PasskeyView } from '../../features/passkeys/schema.js'
import type { WebhookView } from '../../features/webhooks/schema.js'
import { grouped, words } from '../format.js'
import type { JsonOf } from '../json.js'
import { ActionResult, useAction } from '../parts/action.js'
import { Table } from '../parts/table.js'
import { AccountLink, Badge, ErrorNotice, Id, Notice, Section, Text, Time } from '../parts/ui.js'
import { access } from '../state/api.js'
import { logIn, logOut, makePasskey, passkeyFault } from '../state/operator.js'
import { useRead } from '../state/read.js'
import { useStore } from '../state/store.js'
import { Evidence } from './consensus.js'
import { HeldPayments } from './held.js'

function MakePasskey({ ticket }: { readonly ticket: string }) {
  const { notice, isBusy, run } = useAction()
  // The ticket is removed from the address bar and the history at once, because anyone who has it can use it.
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
          Create the passkey
        </button>
      </p>
      <ActionResult notice={notice} />
    </Section>
  )
}

function LogIn() {
  const { notice, isBusy, run } = useAction()
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
      <ActionResult notice={notice} />
      <p>
        Create a passkey with <code>causeway operator passkey add</code>, which an operator key signs.
      </p>
    </Section>
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
  // The node ends the session by itself: the page must not show its data any longer.
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
        <HeldPayments />
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
  // Kept, although it is removed from the address at once.
  const [kept] = useState(ticket)
  if (session !== undefined) return <Desk until={until} />
  return (
    <>
      {kept === '' ? null : <MakePasskey ticket={kept} />}
      <LogIn />
    </>
  )
}
