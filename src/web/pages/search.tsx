/** Owns the search: queries the node for the possible kinds of a text, and opens the first match. */
import { useEffect, useState } from 'preact/hooks'
import type { ConsensusStatus } from '../../api/schema/consensus.js'
import type { PeerList } from '../../api/schema/node.js'
import type { PaymentItem } from '../../features/explorer/schema/payments.js'
import type { ShownName } from '../../features/names/schema/views.js'
import type { JsonOf, PageOf } from '../json.js'
import { Notice, Section, Text } from '../parts/ui.js'
import { hrefOf, type PageName } from '../route.js'
import { candidates, type Found } from '../search.js'
import { ApiError, errorText, get, post } from '../state/api.js'

/** Page of a match. */
interface Place {
  readonly page: PageName
  readonly id: string
  readonly query?: Readonly<Record<string, string>>
}

/** Maximum pages of payments searched for a reference; most matches are on the first page. */
const PAGES_SEARCHED = 10

const PATHS = {
  block: '/v1/explorer/blocks',
  transaction: '/v1/explorer/transactions',
  account: '/v1/accounts',
  asset: '/v1/assets/definitions',
  nft: '/v1/nfts',
  payment: '/v1/iso20022/status',
} as const

type Finder = (id: string, signal: AbortSignal) => Promise<Place | undefined>

/** Search by the object's own route. */
const byPath =
  (page: keyof typeof PATHS): Finder =>
  async (id, signal) => {
    await get(`${PATHS[page]}/${encodeURIComponent(id)}`, {}, signal)
    return { page, id }
  }

const FINDERS: Readonly<Record<Found['kind'], Finder>> = {
  block: byPath('block'),
  transaction: byPath('transaction'),
  account: byPath('account'),
  async name(id, signal) {
    const { account, kind, records } = await get<JsonOf<ShownName>>(`/v1/names/${encodeURIComponent(id)}`, {}, signal)
    const { asset } = records
    if (asset !== undefined) return { page: 'asset', id: asset }
    // The owner of a domain assigns labels to accounts; the address of the account is on its page.
    return { page: 'account', id: String(kind) === 'assigned' ? id : account }
  },
  asset: byPath('asset'),
  nft: byPath('nft'),
  payment: byPath('payment'),
  async contract(id, signal) {
    const { address } = id.includes('@')
      ? await post<{ readonly address: string }>('/v1/contracts/aliases/resolve', { alias: id })
      : { address: id }
    await get(`/v1/contracts/instances/${encodeURIComponent(address)}`, {}, signal)
    return { page: 'contract', id: address }
  },
  async call(id, signal) {
    await get(`/v1/conference/calls/${encodeURIComponent(id)}`, {}, signal)
    return { page: 'calls', id: '' }
  },
  async validator(id, signal) {
    const { items } = await get<JsonOf<PeerList>>('/peers', {}, signal)
    const { committee } = await get<JsonOf<ConsensusStatus>>('/v1/consensus/status', {}, signal)
    const key = id.replace(/^bls:/i, '').toLowerCase()
    return [...items.map((one) => one.id), ...committee].some((one) => one.toLowerCase() === key)
      ? { page: 'validators', id: '' }
      : undefined
  },
  async reference(id, signal) {
    let cursor: string | undefined
    for (let page = 0; page < PAGES_SEARCHED; page += 1) {
      const query = { reference: id, limit: 2, cursor }
      const { items, next_cursor: next } = await get<PageOf<JsonOf<PaymentItem>>>(
        '/v1/explorer/payments',
        query,
        signal,
      )
      const [first, other] = items
      if (first !== undefined) {
        const isOne = other === undefined || other.message_id === first.message_id
        return isOne
          ? { page: 'payment', id: first.message_id }
          : { page: 'payments', id: '', query: { reference: id } }
      }
      if (next === null || next === undefined) return undefined
      cursor = next
    }
    return undefined
  },
}

/** Undefined for a node's error about an unknown or ambiguous id; other errors are rethrown. */
function absent(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status === 401 || error.status >= 500) throw error
}

/** First existing match; undefined if there is none. */
async function firstOf(found: readonly Found[], signal: AbortSignal): Promise<Place | undefined> {
  for (const { kind, id } of found) {
    try {
      const there = await FINDERS[kind](id, signal)
      if (there !== undefined) return there
    } catch (error) {
      // Several messages with one id also exist.
      if (error instanceof ApiError && error.code === 'iso_ambiguous') return { page: 'payment', id }
      absent(error)
    }
  }
  return undefined
}

export function Search({ text }: { readonly text: string }) {
  const [notice, setNotice] = useState('Searching…')
  useEffect(() => {
    const stop = new AbortController()
    setNotice('Searching…')
    firstOf(candidates(text), stop.signal).then(
      (found) => {
        if (found !== undefined) window.location.replace(hrefOf(found.page, found.id, found.query))
        else setNotice('No object with this id exists.')
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setNotice(errorText(error))
      },
    )
    return () => stop.abort()
  }, [text])
  return (
    <Section title="Search">
      <p>
        <Text of={text} />
      </p>
      <Notice>{notice}</Notice>
      <p>
        A height, a hash of a block or a transaction, an address, a name <code>label@domain</code> of an account, a
        contract or an asset, an asset <code>name#domain</code>, an NFT <code>name$domain</code>, a call{' '}
        <code>domain:name</code>, the key of a validator, or the message id, the end-to-end id or the UETR of a payment.
      </p>
    </Section>
  )
}
