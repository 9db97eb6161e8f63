/** Owns the table of the names of an account. */
import type { NameView } from '../../features/names/schema/views.js'
import { parentName, words } from '../format.js'
import type { JsonOf, PageOf } from '../json.js'
import { type Column, Table } from '../parts/table.js'
import { AccountLink, DefinitionLink, Notice, Section, Text, Time } from '../parts/ui.js'
import { useRead } from '../state/read.js'

type Name = JsonOf<NameView>

const columns: readonly Column<Name>[] = [
  { head: 'Name', cell: ({ name }) => <Text of={name} /> },
  { head: 'Kind', cell: ({ kind }) => words(String(kind).toLowerCase()) },
  { head: 'Standing', cell: ({ standing }) => words(String(standing).toLowerCase()) },
  {
    head: 'Points to',
    cell: ({ account, records: { asset } }) =>
      asset === undefined ? <AccountLink id={account} /> : <DefinitionLink id={asset} />,
  },
]

/** End of a name: its own date, or the parent with which a subname ends earlier, with the date of the parent if it has one. */
function Expiry({ of, known }: { readonly of: Name; readonly known: readonly Name[] }) {
  const parent = parentName(of.name)
  const listed = known.find(({ name }) => name === parent)
  const isUnread = parent !== undefined && listed === undefined
  const { value: read } = useRead<Name>(isUnread ? `/v1/names/${encodeURIComponent(parent)}` : undefined)
  const own = of.expires_ms
  const end = (listed ?? read)?.expires_ms
  if (own != null && (end == null || own <= end)) return <Time ms={own} />
  if (parent === undefined) return <>never</>
  return (
    <>
      with <Text of={parent} />
      {end == null ? null : (
        <>
          , <Time ms={end} />
        </>
      )}
    </>
  )
}

/** Names that an account owns; nothing while it has none. */
export function NamesOf({ account }: { readonly account: string }) {
  const { value } = useRead<PageOf<Name>>('/v1/names', { owner: account, limit: 100 }, true)
  if (value === undefined || value.items.length === 0) return null
  return (
    <Section title="Names">
      <Table
        name="Names of this account"
        rows={value.items}
        columns={[...columns, { head: 'Expires', cell: (one) => <Expiry of={one} known={value.items} /> }]}
        keyOf={({ name }) => name}
      />
      {value.next_cursor === null ? null : <Notice>More items exist than are shown here.</Notice>}
    </Section>
  )
}
