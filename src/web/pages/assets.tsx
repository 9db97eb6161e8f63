/** Owns the pages of assets and NFTs. */
import type { AssetView, DefinitionView } from '../../features/assets/schema/views.js'
import type { NftView } from '../../features/nfts/schema.js'
import { words } from '../format.js'
import type { JsonOf, PageOf } from '../json.js'
import { type Column, Listed } from '../parts/table.js'
import {
  AccountLink,
  Amount,
  DefinitionLink,
  ErrorNotice,
  Fields,
  Json,
  Link,
  Notice,
  Section,
  Text,
} from '../parts/ui.js'
import { place } from '../state/place.js'
import { useRead } from '../state/read.js'

type Definition = JsonOf<DefinitionView>

const definitionColumns: readonly Column<Definition>[] = [
  { head: 'Asset', cell: ({ id }) => <DefinitionLink id={id} /> },
  { head: 'Name', cell: ({ name }) => <Text of={name} /> },
  { head: 'In circulation', right: true, cell: ({ total_quantity: total, id }) => <Amount value={total} asset={id} /> },
  { head: 'Digits', right: true, cell: ({ scale }) => scale ?? '–' },
  { head: 'Owner', cell: ({ owned_by: owner }) => <AccountLink id={owner} /> },
]

export function Assets() {
  const { cursor } = place.value.query
  const read = useRead<PageOf<Definition>>(
    '/v1/explorer/asset-definitions',
    { cursor, limit: 100 },
    cursor === undefined,
  )
  return (
    <Section title="Assets">
      <Listed page="assets" name="Assets" read={read} columns={definitionColumns} keyOf={({ id }) => id} />
    </Section>
  )
}

export function AssetPage({ id }: { readonly id: string }) {
  const { cursor } = place.value.query
  const path = `/v1/assets/definitions/${encodeURIComponent(id)}`
  const { value: one, error } = useRead<Definition>(path, {}, true)
  const holders = useRead<PageOf<JsonOf<AssetView>>>(
    one === undefined ? undefined : `${path}/holders`,
    { cursor, limit: 100 },
    cursor === undefined,
  )
  if (one === undefined) return error === undefined ? <Notice>Reading…</Notice> : <ErrorNotice error={error} />
  return (
    <>
      <Section title="Asset">
        <Fields
          of={[
            ['Id', <Text of={one.id} key="id" />],
            ['In circulation', <Amount value={one.total_quantity} asset={one.id} key="total" />],
            ['Fraction digits', one.scale ?? 'any'],
            [
              'Mintable',
              typeof one.mintable === 'string' ? (
                words(one.mintable.toLowerCase())
              ) : (
                <Json of={one.mintable} key="mintable" />
              ),
            ],
            ['Owner', <AccountLink id={one.owned_by} key="owner" />],
          ]}
        />
        {Object.keys(one.metadata).length === 0 ? null : (
          <details>
            <summary>Metadata</summary>
            <Json of={one.metadata} />
          </details>
        )}
      </Section>
      <Section title="Holders">
        <Listed
          page="asset"
          id={id}
          name="Holders"
          read={holders}
          keyOf={({ account }) => account}
          empty="No holders."
          columns={[
            { head: 'Account', cell: ({ account }) => <AccountLink id={account} /> },
            { head: 'Amount', right: true, cell: ({ amount }) => <Amount value={amount} asset={id} /> },
          ]}
        />
      </Section>
    </>
  )
}

type Nft = JsonOf<NftView>
const nftColumns: readonly Column<Nft>[] = [
  {
    head: 'NFT',
    cell: ({ id }) => (
      <Link page="nft" id={id}>
        <Text of={id} />
      </Link>
    ),
  },
  { head: 'Owner', cell: ({ owned_by: owner }) => <AccountLink id={owner} /> },
]

export function Nfts() {
  const { cursor } = place.value.query
  const read = useRead<PageOf<Nft>>('/v1/nfts', { cursor, limit: 100 }, cursor === undefined)
  return (
    <Section title="NFTs">
      <Listed page="nfts" name="NFTs" read={read} columns={nftColumns} keyOf={({ id }) => id} />
    </Section>
  )
}

export function NftPage({ id }: { readonly id: string }) {
  const { value: one, error } = useRead<Nft>(`/v1/nfts/${encodeURIComponent(id)}`, {}, true)
  if (one === undefined) return error === undefined ? <Notice>Reading…</Notice> : <ErrorNotice error={error} />
  return (
    <Section title="NFT">
      <Fields
        of={[
          ['Id', <Text of={one.id} key="id" />],
          ['Owner', <AccountLink id={one.owned_by} key="owner" />],
        ]}
      />
      <h3>Content</h3>
      <Json of={one.content} />
    </Section>
  )
}
