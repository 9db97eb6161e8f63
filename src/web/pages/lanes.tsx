/** Owns the page of lanes: catalogue, load, backlog, deferrals, commitments. */
import type { LaneCommitmentRecord, TeuDataspaceBacklog, TeuLaneCommit } from '../../api/schema/lanes.js'
import type { NodeStatus } from '../../api/schema/node.js'
import type { LaneItem } from '../../features/lanes/schema/views.js'
import { bytesText, grouped, words } from '../format.js'
import type { JsonOf, PageOf } from '../json.js'
import { type Column, Table } from '../parts/table.js'
import { BlockLink, ErrorNotice, Id, Notice, Section, Text } from '../parts/ui.js'
import { live } from '../state/live.js'
import { useRead } from '../state/read.js'
import { useStore } from '../state/store.js'
import { Guests } from './guests.js'

const DRAW_MS = 500

type Lane = JsonOf<LaneItem>
const laneColumns: readonly Column<Lane>[] = [
  { head: 'Lane', right: true, cell: ({ lane }) => lane.id },
  { head: 'Alias', cell: ({ lane }) => <Text of={lane.alias} /> },
  { head: 'Dataspace', right: true, cell: ({ lane }) => lane.dataspace },
  { head: 'State', cell: ({ lane }) => words(String(lane.state).toLowerCase()) },
  { head: 'Visibility', cell: ({ lane }) => words(String(lane.visibility).toLowerCase()) },
  {
    head: 'Last transaction',
    right: true,
    cell: ({ last_service: last }) => (last === null || last === undefined ? '–' : <BlockLink height={last.height} />),
  },
]

const loadColumns: readonly Column<JsonOf<TeuLaneCommit>>[] = [
  { head: 'Lane', cell: ({ lane_id: id, alias }) => <Text of={`${id} ${alias}`} /> },
  { head: 'Last block', right: true, cell: ({ committed }) => `${grouped(committed)} units` },
  {
    head: 'Load',
    cell: ({ committed, capacity }) =>
      capacity === 0 ? (
        'no separate limit'
      ) : (
        <span class="load">
          <meter min={0} max={capacity} value={committed} aria-label="Load of the last block" />
          {Math.round((100 * committed) / capacity)} %
        </span>
      ),
  },
  { head: 'Deferred: lane full', right: true, cell: ({ deferrals }) => grouped(deferrals.cap_exceeded) },
  { head: 'Deferred: block full', right: true, cell: ({ deferrals }) => grouped(deferrals.block_full) },
  { head: 'Longest wait', right: true, cell: ({ starvation_bound: bound }) => `${grouped(bound)} proposals` },
]

const backlogColumns: readonly Column<JsonOf<TeuDataspaceBacklog>>[] = [
  { head: 'Lane', right: true, cell: ({ lane_id: id }) => id },
  { head: 'Dataspace', right: true, cell: ({ dataspace_id: id }) => id },
  { head: 'Waiting', right: true, cell: ({ backlog }) => `${grouped(backlog)} units` },
  { head: 'Not served for', right: true, cell: ({ age_blocks: age }) => `${grouped(age)} blocks` },
]

const commitmentColumns: readonly Column<JsonOf<LaneCommitmentRecord>>[] = [
  { head: 'Lane', right: true, cell: ({ lane_id: id }) => id },
  { head: 'Block', right: true, cell: ({ block_height: height }) => <BlockLink height={height} /> },
  { head: 'Transactions', right: true, cell: ({ tx_count: count }) => grouped(count) },
  { head: 'Units', right: true, cell: ({ teu_total: teu }) => grouped(teu) },
  { head: 'Bytes', right: true, cell: ({ rbc_bytes_total: bytes }) => bytesText(bytes) },
  { head: 'Root of transactions', cell: ({ tx_root: root }) => <Id of={root} /> },
]

export function Lanes() {
  const { status } = useStore(live, DRAW_MS)
  const lanes = useRead<PageOf<Lane>>('/v1/lanes', { limit: 200 }, true)
  const node = useRead<JsonOf<NodeStatus>>('/status', {}, true)
  if (lanes.value === undefined) {
    return lanes.error === undefined ? <Notice>Reading…</Notice> : <ErrorNotice error={lanes.error} />
  }
  const load = node.value?.teu_lane_commit
  const backlog = node.value?.teu_dataspace_backlog ?? []
  const commitments = status?.lane_commitments
  return (
    <>
      <Section title="Lanes">
        <Table name="Lanes" rows={lanes.value.items} columns={laneColumns} keyOf={({ lane }) => lane.id} />
        {load === undefined || load === null ? (
          <Notice>Lanes are off on this chain: all transactions use one lane.</Notice>
        ) : null}
      </Section>
      {load === undefined || load === null ? null : (
        <Section title="Load">
          <Table name="Load of lanes" rows={load} columns={loadColumns} keyOf={({ lane_id: id }) => id} />
        </Section>
      )}
      {backlog.length === 0 ? null : (
        <Section title="Waiting">
          <Table
            name="Lane backlog"
            rows={backlog}
            columns={backlogColumns}
            keyOf={({ lane_id: id, dataspace_id: space }) => `${id}.${space}`}
          />
        </Section>
      )}
      <Guests />
      {commitments === undefined || commitments === null ? null : (
        <Section title="Commitments of the last block">
          <Table
            name="Commitments of lanes"
            rows={commitments}
            columns={commitmentColumns}
            keyOf={({ lane_id: id }) => id}
            empty="No lane had a transaction in the last block."
          />
        </Section>
      )}
    </>
  )
}
