/** Owns the frame of all pages: head, navigation, state of the node, and the selected page. */

import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Capabilities } from '../api/schema/node.js'
import { durationText } from '../base/duration-text.js'
import { shortId } from '../base/ids.js'
import { grouped, visible } from './format.js'
import type { JsonOf } from './json.js'
import { AccountPage, Accounts } from './pages/accounts.js'
import { AssetPage, Assets, NftPage, Nfts } from './pages/assets.js'
import { BlockPage, Blocks } from './pages/blocks.js'
import { Calls } from './pages/calls.js'
import { Consensus } from './pages/consensus.js'
import { ContractPage, Contracts } from './pages/contracts.js'
import { Lanes } from './pages/lanes.js'
import { Overview } from './pages/overview.js'
import { Payments } from './pages/payments.js'
import { TransactionPage, Transactions } from './pages/transactions.js'
import { Validators } from './pages/validators.js'
import { Link, lazy, Notice, Section, Text } from './parts/ui.js'
import { hrefOf, type PageName, type Route } from './route.js'
import { access, giveToken } from './state/api.js'
import { healthOf, titleOf } from './state/health.js'
import { heightOf, type Live, live } from './state/live.js'
import { place } from './state/place.js'
import { useRead } from './state/read.js'
import { useStore } from './state/store.js'
import { validators, wantValidators, withNames } from './state/validators.js'

/** Minimum interval between announcements to screen readers, in ms. */
const NOTICE_MS = 5_000
const DRAW_MS = 500

interface Shown {
  readonly title: string
  /** Page of the navigation that contains it. */
  readonly within: PageName
  draw(id: string): JSX.Element
}
const page = (title: string, within: PageName, draw: (id: string) => JSX.Element): Shown => ({ title, within, draw })

const OperatorPage = lazy(async () => (await import('./pages/operator.js')).Operator)
const GovernancePage = lazy(async () => (await import('./pages/governance.js')).Governance)
const ProposalPage = lazy(async () => (await import('./pages/governance.js')).ProposalPage)
const PaymentPage = lazy(async () => (await import('./pages/payment.js')).PaymentPage)
const Search = lazy(async () => (await import('./pages/search.js')).Search)

const SHOWN: Readonly<Record<PageName, Shown>> = {
  overview: page('Overview', 'overview', () => <Overview />),
  blocks: page('Blocks', 'blocks', () => <Blocks />),
  block: page('Block', 'blocks', (id) => <BlockPage id={id} />),
  transactions: page('Transactions', 'transactions', () => <Transactions />),
  transaction: page('Transaction', 'transactions', (id) => <TransactionPage id={id} />),
  payments: page('Payments', 'payments', () => <Payments />),
  payment: page('Payment', 'payments', (id) => <PaymentPage id={id} />),
  accounts: page('Accounts', 'accounts', () => <Accounts />),
  account: page('Account', 'accounts', (id) => <AccountPage id={id} />),
  assets: page('Assets', 'assets', () => <Assets />),
  asset: page('Asset', 'assets', (id) => <AssetPage id={id} />),
  nfts: page('NFTs', 'nfts', () => <Nfts />),
  nft: page('NFT', 'nfts', (id) => <NftPage id={id} />),
  contracts: page('Contracts', 'contracts', () => <Contracts />),
  contract: page('Contract', 'contracts', (id) => <ContractPage id={id} />),
  calls: page('Calls', 'calls', () => <Calls />),
  consensus: page('Consensus', 'consensus', () => <Consensus />),
  lanes: page('Lanes', 'lanes', () => <Lanes />),
  governance: page('Governance', 'governance', () => <GovernancePage />),
  proposal: page('Proposal', 'governance', (id) => <ProposalPage id={id} />),
  validators: page('Validators', 'validators', () => <Validators />),
  operator: page('Operator', 'operator', (id) => <OperatorPage ticket={id} />),
  search: page('Search', 'overview', (id) => <Search text={id} />),
}
const GROUPS: readonly (readonly [string, readonly PageName[]])[] = [
  ['Chain', ['overview', 'blocks', 'transactions', 'payments']],
  ['Ledger', ['accounts', 'assets', 'nfts', 'contracts', 'calls']],
  ['Network', ['consensus', 'lanes', 'validators', 'governance', 'operator']],
]

function SearchBox() {
  const input = useRef<HTMLInputElement>(null)
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const text = input.current?.value.trim() ?? ''
          if (text !== '') window.location.hash = hrefOf('search', text)
        }}
      >
        <label class="hidden" for="search">
          Search
        </label>
        <input
          id="search"
          ref={input}
          type="search"
          placeholder="Height, hash, account, asset, contract, message id"
          autocomplete="off"
          spellcheck={false}
          maxLength={300}
        />
        <button type="submit">Search</button>
      </form>
    </search>
  )
}

function Head() {
  const now = useStore(live, DRAW_MS)
  const { text, tone } = healthOf(now)
  const chain = useRead<JsonOf<Capabilities>>('/v1/node/capabilities').value
  return (
    <header class="head">
      <a class="brand" href={hrefOf('overview')}>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="7" />
          <path d="M5 21c4-9 18-9 22 0M5 21h22M11 21v-5M16 21v-7M21 21v-5" />
        </svg>
        <span>
          Causeway
          <small>{chain === undefined ? 'explorer' : <Text of={chain.chain} />}</small>
        </span>
      </a>
      <SearchBox />
      <p class={`link ${tone}`}>
        <span aria-hidden="true" class="dot" />
        <span>{text}</span>
        <b>{heightOf(now) === 0 ? '' : grouped(heightOf(now))}</b>
      </p>
    </header>
  )
}

function Menu({ within }: { readonly within: PageName | undefined }) {
  const list = useRef<HTMLElement>(null)
  // On a narrow screen the menu is a scrolling line.
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (list.current && current) list.current.scrollLeft = current.offsetLeft - 60
  }, [within])
  return (
    <nav class="menu" aria-label="Pages" ref={list}>
      {GROUPS.map(([name, pages]) => (
        <div key={name}>
          <p aria-hidden="true">{name}</p>
          <ul aria-label={name}>
            {pages.map((one) => (
              <li key={one}>
                <a href={hrefOf(one)} aria-current={one === within ? 'page' : undefined}>
                  {SHOWN[one].title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** Texts of the faults of the node or the chain; empty if there are none. */
function faultsOf({ status, link, linkText }: Live, names: ReadonlyMap<string, string>): readonly string[] {
  const { stall, halted, divergence } = status ?? {}
  return [
    link === 'lost' ? linkText : undefined,
    halted ? `This node halted: ${halted}` : undefined,
    divergence ? `This node diverged at height ${grouped(divergence.height)}: ${divergence.detail}` : undefined,
    stall
      ? `The chain has been stalled for ${durationText(Date.now() - stall.since_ms)}: ${withNames(stall.text, names)}`
      : undefined,
  ].flatMap((one) => (one === undefined || one === '' ? [] : [one]))
}

function Faults() {
  const now = useStore(live, DRAW_MS)
  const isStalled = now.status?.stall != null
  useEffect(() => {
    if (isStalled) void wantValidators()
  }, [isStalled])
  const faults = faultsOf(now, useStore(validators, DRAW_MS))
  return faults.length === 0 ? null : (
    <div class="faults" role="alert">
      {faults.map((fault) => (
        <Notice key={fault} tone="bad">
          {visible(fault)}
        </Notice>
      ))}
    </div>
  )
}

/** Announces the progress of the chain to screen readers. */
function Announcer() {
  const now = useStore(live, NOTICE_MS)
  const { text: state } = healthOf(now)
  const text = state === 'Live' ? `Height ${grouped(heightOf(now))}` : state
  return (
    <p class="hidden" role="status" aria-live="polite">
      {text}
    </p>
  )
}

function TokenForm() {
  const { token } = useStore(access)
  const input = useRef<HTMLInputElement>(null)
  return (
    <Section title="Token">
      <p>
        {token === undefined ? 'This node requires a token.' : 'The node does not accept this token.'} It stays in the
        memory of this tab and is gone when the tab is.
      </p>
      <form
        class="token"
        onSubmit={(event) => {
          event.preventDefault()
          const text = input.current?.value.trim() ?? ''
          if (text !== '') giveToken(text)
        }}
      >
        <label for="token">API token</label>
        <input id="token" ref={input} type="password" autocomplete="off" required />
        <button type="submit">Read the chain</button>
      </form>
    </Section>
  )
}

function useTitled(route: Route, title: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [isFirst, done] = useState(true)
  const health = healthOf(useStore(live, DRAW_MS))
  useEffect(() => {
    document.title = titleOf(title, health)
  }, [title, health.text])
  // Focuses the heading when the page changes.
  useEffect(() => {
    if (isFirst) done(false)
    else {
      heading.current?.focus()
      window.scrollTo(0, 0)
    }
  }, [route.page, route.id])
  return heading
}

function Body({ children }: { readonly children: ComponentChildren }) {
  return <div class="body">{children}</div>
}

export function App() {
  const route = useStore(place)
  const { refused } = useStore(access)
  const shown = route.page === undefined ? undefined : SHOWN[route.page]
  const title = shown?.title ?? 'No such page'
  const heading = useTitled(route, title)
  return (
    <>
      <button class="skip" type="button" onClick={() => heading.current?.focus()}>
        Skip to content
      </button>
      <Head />
      <Body>
        <Menu within={shown?.within} />
        <main id="main">
          <h1 ref={heading} tabIndex={-1}>
            {title}
            {route.id === '' || route.page === 'search' || route.page === 'operator' ? null : (
              <small>
                <Text of={route.id.length > 40 ? shortId(route.id) : route.id} />
              </small>
            )}
          </h1>
          <Faults />
          {refused ? <TokenForm /> : shown === undefined ? <NoPage /> : shown.draw(route.id)}
        </main>
      </Body>
      <footer>
        <p>
          The chain as reported by one node. <code>causeway proof verify</code> checks it without trust.
        </p>
      </footer>
      <Announcer />
    </>
  )
}

const NoPage = () => (
  <Notice>
    This page does not exist. <Link page="overview">Overview</Link>
  </Notice>
)
