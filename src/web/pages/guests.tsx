/** Owns the tables of guests: manifests of restricted dataspaces, and the remaining allowances of an account. */
import type { ManifestItem, StandingView } from '../../features/spaces/schema/views.js'
import { words } from '../format.js'
import type { JsonOf, PageOf } from '../json.js'
import { type Column, Table } from '../parts/table.js'
import { AccountLink, Section, Time } from '../parts/ui.js'
import { useRead } from '../state/read.js'

const statusText = (status: string): string => words(status.toLowerCase())

const manifestColumns: readonly Column<JsonOf<ManifestItem>>[] = [
  { head: 'Dataspace', right: true, cell: ({ dataspace }) => dataspace },
  { head: 'Account', cell: ({ account }) => <AccountLink id={account} /> },
  { head: 'Status', cell: ({ status }) => statusText(status) },
  { head: 'Version', right: true, cell: ({ version }) => version },
  { head: 'Entries', right: true, cell: ({ entries }) => entries.length },
  { head: 'From', cell: ({ active_from_ms: ms }) => <Time ms={ms} /> },
  {
    head: 'Expires',
    cell: ({ expires_ms: ms }) => (ms === null || ms === undefined ? 'never' : <Time ms={ms} />),
  },
]

/** Manifests of all dataspaces; nothing while there are none. */
export function Guests() {
  const { value } = useRead<PageOf<JsonOf<ManifestItem>>>('/v1/space-directory/manifests', { limit: 200 }, true)
  if (value === undefined || value.items.length === 0) return null
  return (
    <Section title="Guests">
      <Table
        name="Guests of dataspaces"
        rows={value.items}
        columns={manifestColumns}
        keyOf={({ dataspace, account }) => `${dataspace}.${account}`}
      />
    </Section>
  )
}

type Standing = JsonOf<StandingView>

/** Remaining allowance under each entry that grants something. */
const leftText = ({ allowances }: Standing): string =>
  allowances
    .map(({ entry, left, window }) =>
      left === null || left === undefined
        ? `${entry}: any amount`
        : `${entry}: ${left} a ${String(window).toLowerCase()}`,
    )
    .join(', ')

const standingColumns: readonly Column<Standing>[] = [
  { head: 'Dataspace', right: true, cell: ({ dataspace }) => dataspace },
  { head: 'Status', cell: ({ status }) => statusText(status) },
  { head: 'Version', right: true, cell: ({ version }) => version },
  { head: 'Left, by entry', cell: (standing) => leftText(standing) || '–' },
]

/** Dataspaces in which an account is a guest; nothing while there are none. */
export function GuestOf({ account }: { readonly account: string }) {
  const { value } = useRead<PageOf<Standing>>(
    `/v1/space-directory/accounts/${encodeURIComponent(account)}`,
    { limit: 200 },
    true,
  )
  if (value === undefined || value.items.length === 0) return null
  return (
    <Section title="Guest of dataspaces">
      <Table
        name="Dataspaces that admit this account as a guest"
        rows={value.items}
        columns={standingColumns}
        keyOf={({ dataspace }) => dataspace}
      />
    </Section>
  )
}
