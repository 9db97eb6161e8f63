/** Owns the page of conference calls. */
import { durationText } from '../../base/duration-text.js'
import type { CallItem } from '../../features/conference/schema/views.js'
import { grouped, words } from '../format.js'
import type { JsonOf, PageOf } from '../json.js'
import { type Column, Listed } from '../parts/table.js'
import { AccountLink, Section, Text, Time } from '../parts/ui.js'
import { place } from '../state/place.js'
import { useRead } from '../state/read.js'

const columns: readonly Column<JsonOf<CallItem>>[] = [
  { head: 'Call', cell: ({ id }) => <Text of={String(id)} /> },
  { head: 'Title', cell: ({ call }) => <Text of={call.title ?? '–'} /> },
  { head: 'Status', cell: ({ call }) => words(String(call.status).toLowerCase()) },
  { head: 'Host', cell: ({ call }) => <AccountLink id={call.host} /> },
  { head: 'In the call', right: true, cell: ({ call }) => grouped(call.member_count) },
  { head: 'Recorded', right: true, cell: ({ call }) => durationText(Number(call.total_duration_ms)) },
  { head: 'Created', cell: ({ call }) => <Time ms={call.created_at_ms} /> },
]

export function Calls() {
  const { cursor } = place.value.query
  const read = useRead<PageOf<JsonOf<CallItem>>>('/v1/conference/calls', { cursor, limit: 100 }, cursor === undefined)
  return (
    <Section title="Conference calls">
      <Listed
        page="calls"
        name="Calls"
        read={read}
        columns={columns}
        keyOf={({ id }) => String(id)}
        empty="No call yet."
      />
    </Section>
  )
}
