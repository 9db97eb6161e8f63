/** Owns the pages of governance: open proposals with the remaining time, their turnout, and their effect. */
import { durationText } from '../../base/duration-text.js'
import type { ProposalItem, ProposalView } from '../../features/gov/schema/views.js'
import { words } from '../format.js'
import type { JsonOf, PageOf } from '../json.js'
import { type Column, Listed, Table } from '../parts/table.js'
import { AccountLink, ErrorNotice, Link, Notice, Section, Text, Tile, Tiles, Time } from '../parts/ui.js'
import { live } from '../state/live.js'
import { place } from '../state/place.js'
import { useRead } from '../state/read.js'
import { useStore } from '../state/store.js'
import { Instruction } from './transactions.js'

/** Interval at which remaining times are redrawn, in ms. */
const DRAW_MS = 1_000

type Item = JsonOf<ProposalItem>

const statusText = (status: unknown): string => words(String(status).toLowerCase())

/** Share of aye, nay and abstain in the electorate, without weights. */
function turnoutText({ tally }: Pick<Item, 'tally'>): string {
  const cast = Number(tally.ayes) + Number(tally.nays) + Number(tally.abstains)
  const base = Number(tally.base)
  const share = base === 0 ? 0 : (100 * cast) / base
  return `${share.toFixed(share < 10 ? 1 : 0)} %${tally.is_quorate ? '' : ', below the quorum'}`
}

/** Time until the next step; nothing for a closed proposal. */
function LeftUntil({ ms }: { readonly ms: number | null | undefined }) {
  useStore(live, DRAW_MS)
  if (ms === null || ms === undefined) return <>–</>
  const left = ms - Date.now()
  return <>{left <= 0 ? 'due' : durationText(left)}</>
}

const columns: readonly Column<Item>[] = [
  {
    head: 'Proposal',
    right: true,
    cell: ({ proposal }) => (
      <Link page="proposal" id={String(proposal)}>
        {proposal}
      </Link>
    ),
  },
  { head: 'Title', cell: ({ title }) => <Text of={title} /> },
  { head: 'Track', cell: ({ track_name: name }) => <Text of={name} /> },
  { head: 'Status', cell: ({ status }) => statusText(status) },
  { head: 'Aye', right: true, cell: ({ tally }) => tally.ayes },
  { head: 'Nay', right: true, cell: ({ tally }) => tally.nays },
  { head: 'Turnout', right: true, cell: turnoutText },
  { head: 'Time left', right: true, cell: ({ due_ms: ms }) => <LeftUntil ms={ms} /> },
  { head: 'Proposer', cell: ({ proposer }) => <AccountLink id={proposer} /> },
]

export function Governance() {
  const { cursor } = place.value.query
  const open = useRead<PageOf<Item>>('/v1/gov/proposals', { is_open: 'true', limit: 128 }, true)
  const read = useRead<PageOf<Item>>(
    '/v1/gov/proposals',
    { is_open: 'false', cursor, limit: 100 },
    cursor === undefined,
  )
  return (
    <>
      <Section title="Open proposals">
        <Table
          name="Open proposals"
          rows={open.value?.items ?? []}
          columns={columns}
          keyOf={({ proposal }) => proposal}
          empty="No proposal is open."
        />
      </Section>
      <Section title="Closed proposals">
        <Listed
          page="governance"
          name="Closed proposals"
          read={read}
          columns={columns}
          keyOf={({ proposal }) => proposal}
          empty="No proposal was closed yet."
        />
      </Section>
    </>
  )
}

export function ProposalPage({ id }: { readonly id: string }) {
  const { value: one, error } = useRead<JsonOf<ProposalView>>(`/v1/gov/proposals/${encodeURIComponent(id)}`, {}, true)
  if (one === undefined) return error === undefined ? <Notice>Reading…</Notice> : <ErrorNotice error={error} />
  return (
    <>
      <Tiles label="Proposal">
        <Tile name="Status">{statusText(one.status)}</Tile>
        <Tile
          name="Time left"
          note={one.due_ms === null || one.due_ms === undefined ? undefined : <Time ms={one.due_ms} />}
        >
          <LeftUntil ms={one.due_ms} />
        </Tile>
        <Tile name="Aye" note={`nay ${one.tally.nays}; aye must exceed ${one.tally.approval_bps / 100} % by weight`}>
          {one.tally.ayes}
        </Tile>
        <Tile name="Turnout" note={`quorum ${one.tally.quorum}`}>
          {turnoutText(one)}
        </Tile>
      </Tiles>
      <Section title="Proposal">
        <p>
          <Text of={one.title} />, by <AccountLink id={one.proposer} /> on the track <Text of={one.track_name} />
        </p>
        {one.summary === '' ? null : (
          <p>
            <Text of={one.summary} />
          </p>
        )}
      </Section>
      <Section title="Effect">
        <ol class="instructions">
          {one.instructions.map((instruction, at) => (
            <Instruction key={at} of={instruction} />
          ))}
        </ol>
      </Section>
    </>
  )
}
