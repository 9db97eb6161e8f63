/** Owns the page of consensus: proposer of the next block, votes, and durations of the phases. */

import type { EvidenceList } from '../../api/schema/consensus-detail.js'
import { durationText } from '../../base/duration-text.js'
import type { TelemetryPropagation } from '../../features/telemetry/schema.js'
import { count, grouped, visible, words } from '../format.js'
import type { JsonOf } from '../json.js'
import { Table } from '../parts/table.js'
import { Badge, Fields, Notice, Section, Tile, Tiles, Time, ValidatorId } from '../parts/ui.js'
import { live, type Status } from '../state/live.js'
import { useRead } from '../state/read.js'
import { useStore } from '../state/store.js'

const DRAW_MS = 250

const Vote = ({ given, what }: { readonly given: boolean; readonly what: string }) =>
  given ? <Badge tone="good">{what}</Badge> : <span class="quiet">waiting</span>

function Votes({ status }: { readonly status: Status }) {
  const { committee, votes, proposer } = status
  const seats = committee.map((key, at) => ({ key, at }))
  return (
    <Table
      name="Votes on the next block"
      rows={seats}
      keyOf={({ key }) => key}
      columns={[
        { head: 'Seat', cell: ({ at }) => at },
        { head: 'Validator', cell: ({ key }) => <ValidatorId of={key} /> },
        { head: 'Role', cell: ({ key }) => (key === proposer ? 'proposer' : 'member') },
        { head: 'Prepare', cell: ({ at }) => <Vote what="prepared" given={votes?.prepare.includes(at) === true} /> },
        { head: 'Commit', cell: ({ at }) => <Vote what="committed" given={votes?.commit.includes(at) === true} /> },
      ]}
    />
  )
}

function Signers({ status }: { readonly status: Status }) {
  const { commit_qc: certificate, commit_committee: committee } = status
  if (certificate === null || certificate === undefined)
    return <Notice>No block is committed above genesis yet.</Notice>
  return (
    <>
      <p>
        Block {grouped(certificate.height)} was committed in view {certificate.view} by {certificate.signers.length} of{' '}
        {committee.length} votes; {status.quorum} were needed.
      </p>
      <ul class="seats" aria-label="Votes in the certificate">
        {committee.map((key, at) => {
          const signed = certificate.signers.includes(at)
          return (
            <li key={key} class={signed ? 'given' : undefined}>
              <ValidatorId of={key} />{' '}
              {signed ? <Badge tone="good">signed</Badge> : <Badge tone="plain">not needed</Badge>}
            </li>
          )
        })}
      </ul>
    </>
  )
}

const PHASES = ['propose', 'execute', 'prepare', 'commit', 'apply']
const orderOf = (name: string): number => (PHASES.indexOf(name) + PHASES.length + 1) % (PHASES.length + 1)

function Phases({ phases }: Pick<Status, 'phases'>) {
  const rows = Object.entries(phases)
    .map(([name, { last_us: last, ema_us: mean }]) => ({ name, last, mean }))
    .sort((a, b) => orderOf(a.name) - orderOf(b.name))
  const longest = Math.max(1, ...rows.map(({ mean }) => mean))
  return (
    <Table
      name="Phases of a block"
      rows={rows}
      keyOf={({ name }) => name}
      empty="No block was decided since the node started."
      columns={[
        { head: 'Phase', cell: ({ name }) => words(name) },
        { head: 'Last', right: true, cell: ({ last }) => durationText(last / 1000) },
        { head: 'On average', right: true, cell: ({ mean }) => durationText(mean / 1000) },
        {
          head: 'Share',
          cell: ({ mean }) => <meter min={0} max={longest} value={mean} aria-label="Share of the longest phase" />,
        },
      ]}
    />
  )
}

export function Evidence() {
  const { value, error } = useRead<JsonOf<EvidenceList>>('/v1/consensus/evidence', { limit: 50 }, true)
  if (value === undefined) {
    return <Notice>{error === undefined ? 'Reading…' : 'This node does not publish evidence.'}</Notice>
  }
  return (
    <Table
      name="Proven faults"
      rows={value.items}
      keyOf={(one, at) => `${one.recorded_height}.${at}`}
      empty="No proven faults."
      columns={[
        { head: 'Fault', cell: ({ kind }) => visible(words(kind)) },
        { head: 'Validator', cell: ({ offender }) => <ValidatorId of={offender} /> },
        { head: 'At height', right: true, cell: ({ height }) => grouped(height) },
        { head: 'View', right: true, cell: ({ view }) => view },
        { head: 'Recorded at', right: true, cell: ({ recorded_height: height }) => grouped(height) },
      ]}
    />
  )
}

/** Maximum blocks shown in the propagation table. */
const SPREADS_SHOWN = 20

function Propagation() {
  const { value, error } = useRead<JsonOf<TelemetryPropagation>>('/v1/telemetry/propagation', {}, true)
  if (value === undefined) {
    return <Notice>{error === undefined ? 'Reading…' : 'This node does not publish block propagation.'}</Notice>
  }
  return (
    <Table
      name="Propagation of the last blocks"
      rows={value.items.slice(0, SPREADS_SHOWN)}
      keyOf={({ block }) => block}
      empty="This node watches no gateways, or none of them has reported a block yet."
      columns={[
        { head: 'Block', right: true, cell: ({ block }) => grouped(block) },
        { head: 'First seen', cell: ({ first_seen_ms: atMs }) => <Time ms={atMs} /> },
        { head: 'Gateways', right: true, cell: ({ peers_reported: gateways }) => gateways },
        { head: 'First to last', right: true, cell: ({ spread_ms: spread }) => durationText(spread) },
      ]}
    />
  )
}

function Signer({ signer }: { readonly signer: NonNullable<Status['signer']> }) {
  const { connected, acts, lease_until_ms: lease, last_signature_ms: last } = signer
  return (
    <Notice tone={connected ? 'plain' : 'warn'}>
      Signer: {connected ? 'connected' : 'not connected'}
      {acts ? '' : ', this node is a standby'}
      {lease !== null && lease !== undefined && (
        <>
          , lease until <Time ms={lease} />
        </>
      )}
      {last !== null && last !== undefined && (
        <>
          , last signature <Time ms={last} />
        </>
      )}
    </Notice>
  )
}

export function Consensus() {
  const { status, statusText } = useStore(live, DRAW_MS)
  if (status === undefined)
    return <Notice tone="warn">{visible(statusText || 'Waiting for the status of the node.')}</Notice>
  const reasons = Object.entries(status.view_change_reasons)
  return (
    <>
      <Tiles label="Current decision">
        <Tile name="Deciding height" note={`block ${grouped(status.height)} is final`}>
          {grouped(status.deciding_height)}
        </Tile>
        <Tile name="View" note={`${count(status.view_changes, 'view change')} since start`}>
          {status.view}
        </Tile>
        <Tile name="Quorum" note={`tolerates ${status.fault_budget} faults`}>
          {status.quorum} of {status.committee.length}
        </Tile>
        <Tile name="This node" note={`${status.mode} committee`}>
          {status.role.toLowerCase()}
        </Tile>
        <Tile name="Queue">{grouped(status.queue_size)}</Tile>
      </Tiles>
      {status.signer && <Signer signer={status.signer} />}
      <Section title="Votes on the next block">
        <Votes status={status} />
      </Section>
      <Section title="Last certificate">
        <Signers status={status} />
      </Section>
      <div class="pair">
        <Section title="Phases">
          <Phases phases={status.phases} />
        </Section>
        <Section title="View changes">
          {reasons.length === 0 ? (
            <Notice>None since the node started.</Notice>
          ) : (
            <Fields of={reasons.map(([reason, times]) => [visible(words(reason)), count(times, 'time')] as const)} />
          )}
        </Section>
      </div>
      <Section title="Propagation">
        <Propagation />
      </Section>
      <Section title="Evidence">
        <Evidence />
      </Section>
    </>
  )
}
