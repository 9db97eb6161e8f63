/** Owns the page of validators: registered peers, and in elected networks their stake. */
import type { PeerList } from '../../api/schema/node.js'
import type { StakingStatusView, StakingValidatorView } from '../../features/staking/schema/views.js'
import { grouped, visible } from '../format.js'
import type { JsonOf, PageOf } from '../json.js'
import { Listed, Table } from '../parts/table.js'
import { AccountLink, Amount, Badge, ErrorNotice, Notice, Section, Tile, Tiles, ValidatorId } from '../parts/ui.js'
import { live } from '../state/live.js'
import { place } from '../state/place.js'
import { useRead } from '../state/read.js'
import { useStore } from '../state/store.js'

const LANE = '/v1/lanes/public-lanes/0'
const DRAW_MS = 1_000

function Stake() {
  const { cursor } = place.value.query
  const { value: stake } = useRead<JsonOf<StakingStatusView>>(`${LANE}/stake`, {}, true)
  const { epoch } = useStore(live, DRAW_MS).status ?? {}
  const isElected = stake !== undefined && stake.definition !== null && stake.definition !== undefined
  const list = useRead<PageOf<JsonOf<StakingValidatorView>>>(
    isElected ? `${LANE}/validators` : undefined,
    { cursor, limit: 100 },
    cursor === undefined,
  )
  if (!isElected) return null
  return (
    <>
      <Tiles label="Stake">
        <Tile name="Staked">
          <Amount value={stake.total} asset={stake.definition ?? undefined} />
        </Tile>
        <Tile name="Candidates">{grouped(stake.candidates)}</Tile>
        <Tile name="Voters">{grouped(stake.voters)}</Tile>
        <Tile name="Epoch" note={epoch ? `${grouped(epoch.blocks_left)} blocks left` : undefined}>
          {grouped(stake.epoch)}
        </Tile>
        <Tile name="Mode">{visible(stake.mode)}</Tile>
      </Tiles>
      <Section title="Candidates">
        <Listed
          page="validators"
          name="Candidates"
          read={list}
          keyOf={({ account }) => account}
          empty="No candidates."
          columns={[
            { head: 'Account', cell: ({ account }) => <AccountLink id={account} /> },
            { head: 'Seat', cell: ({ has_seat: seat }) => (seat ? <Badge tone="good">seat</Badge> : 'none') },
            {
              head: 'Own bond',
              right: true,
              cell: ({ bonded }) => <Amount value={bonded} asset={stake.definition ?? undefined} />,
            },
            {
              head: 'Total stake',
              right: true,
              cell: ({ exposure }) =>
                exposure === null || exposure === undefined ? (
                  '–'
                ) : (
                  <Amount value={exposure.total} asset={stake.definition ?? undefined} />
                ),
            },
            { head: 'Listed', cell: ({ is_listed: listed }) => (listed ? 'yes' : 'no') },
            { head: 'Open slashes', right: true, cell: ({ open_slashes: open }) => grouped(open) },
          ]}
        />
      </Section>
    </>
  )
}

function Peers() {
  const { value, error } = useRead<JsonOf<PeerList>>('/peers', {}, true)
  const { status } = useStore(live, DRAW_MS)
  const seats = new Set(status?.committee)
  if (value === undefined) return error === undefined ? <Notice>Reading…</Notice> : <ErrorNotice error={error} />
  return (
    <Table
      name="Peers of this node"
      rows={value.items}
      keyOf={({ id }) => id}
      columns={[
        { head: 'Peer', cell: ({ id }) => <ValidatorId of={id} /> },
        { head: 'Role', cell: ({ role }) => role.toLowerCase() },
        { head: 'Votes now', cell: ({ id }) => (seats.has(id) ? 'yes' : 'no') },
        {
          head: 'Link',
          cell: ({ connected }) =>
            connected ? <Badge tone="good">connected</Badge> : <Badge tone="bad">not connected</Badge>,
        },
        {
          head: 'Height',
          right: true,
          cell: ({ height }) => (height === null || height === undefined ? '–' : grouped(height)),
        },
        { head: 'Address', cell: ({ address }) => <code>{visible(address)}</code> },
      ]}
    />
  )
}

export const Validators = () => (
  <>
    <Stake />
    <Section title="Peers, as seen by this node">
      <Peers />
    </Section>
  </>
)
