/** Owns the first page: height, rates and recent activity. */

import { useMemo, useState } from 'preact/hooks'
import { durationText } from '../../base/duration-text.js'
import type { ExplorerMetrics } from '../../features/explorer/schema/metrics.js'
import type { Series, SeriesMetric } from '../../features/explorer/schema/series.js'
import { bytesText, count, grouped } from '../format.js'
import type { JsonOf } from '../json.js'
import { Plot, type Point } from '../parts/plot.js'
import { Table } from '../parts/table.js'
import { Link, Section, Tile, Tiles, Time } from '../parts/ui.js'
import { type Block, heightOf, live } from '../state/live.js'
import { useRead } from '../state/read.js'
import { useStore } from '../state/store.js'
import { blockColumns } from './blocks.js'
import { LatestTransactions } from './transactions.js'

const SHOWN = 8
const DRAW_MS = 500
/** Time span of the blocks for the rate, and the minimum time over which it is averaged, in ms. */
const RATE_MS = 30_000

/** Transactions per second over the last half minute of blocks. */
export function rateOf(blocks: readonly Block[], nowMs: number): number {
  const recent = blocks.filter(({ time_ms: at }) => at > nowMs - RATE_MS)
  return (recent.reduce((sum, { transactions }) => sum + transactions, 0) * 1000) / RATE_MS
}

/** Pause from which the chain counts as idle, in ms; without transactions it creates no blocks. */
const IDLE_MS = 10_000

/** Time from each block to the next, ascending, without pauses. */
export const intervalsOf = (blocks: readonly Block[]): Point[] =>
  blocks
    .slice(0, -1)
    .flatMap((block, at) => {
      const before = blocks[at + 1]
      const passed = block.time_ms - (before?.time_ms ?? 0)
      return before?.height === block.height - 1 && passed < IDLE_MS ? [{ at: block.height, value: passed }] : []
    })
    .reverse()

/** Time span of the live plot and of one of its points, in ms. */
const PACE_MS = 120_000
const BIN_MS = 2_000

/**
 * Transactions per second in bins of the last two minutes, as far back as blocks are known, without the current bin.
 */
export function paceOf(blocks: readonly Block[], nowMs: number): Point[] {
  const end = Math.floor(nowMs / BIN_MS)
  const first = end - PACE_MS / BIN_MS
  const known = Math.floor((blocks.at(-1)?.time_ms ?? nowMs) / BIN_MS) + 1
  const isWhole = blocks.at(-1)?.height === 1
  const bins = new Map<number, number>()
  for (const { time_ms: ms, transactions } of blocks) {
    const bin = Math.floor(ms / BIN_MS)
    if (bin < first) break
    bins.set(bin, (bins.get(bin) ?? 0) + transactions)
  }
  const begin = isWhole ? first : Math.max(first, Math.min(known, end))
  return Array.from({ length: Math.max(0, end - begin) }, (_, at) => ({
    at: (begin + at) * BIN_MS,
    value: ((bins.get(begin + at) ?? 0) * 1000) / BIN_MS,
  }))
}

const HOUR_MS = 3_600_000
const SPANS = [
  ['Hour', HOUR_MS],
  ['Day', 24 * HOUR_MS],
  ['Week', 7 * 24 * HOUR_MS],
  ['Year', 365 * 24 * HOUR_MS],
] as const
const METRICS: readonly (readonly [SeriesMetric, string])[] = [
  ['transactions', 'Transactions'],
  ['rejected', 'Rejected'],
  ['blocks', 'Blocks'],
  ['teu', 'Execution units'],
  ['bytes', 'Bytes'],
]

function History() {
  const [metric, choose] = useState<SeriesMetric>('transactions')
  const [span, look] = useState<number>(HOUR_MS)
  // The plot moves by time, not by blocks alone.
  const fromMs = Math.floor((Date.now() - span) / 60_000) * 60_000
  const read = useRead<JsonOf<Series>>('/v1/explorer/series', { metric, from_ms: fromMs, points: 120 })
  const points = (read.value?.points ?? []).map(({ time_ms: at, value }) => ({ at, value }))
  const label = METRICS.find(([one]) => one === metric)?.[1] ?? metric
  return (
    <Section
      title="History"
      aside={
        <div class="choices">
          <select
            aria-label="Figure"
            value={metric}
            onChange={({ currentTarget }) => choose(currentTarget.value as SeriesMetric)}
          >
            {METRICS.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
          <select aria-label="Time" value={span} onChange={({ currentTarget }) => look(Number(currentTarget.value))}>
            {SPANS.map(([name, ms]) => (
              <option key={name} value={ms}>
                {name}
              </option>
            ))}
          </select>
        </div>
      }
    >
      <Plot
        name={`${label} per ${durationText(read.value?.step_ms ?? 60_000)}`}
        points={points}
        columns
        from={fromMs}
        to={fromMs + span}
        write={metric === 'bytes' ? bytesText : undefined}
      />
    </Section>
  )
}

function Figures() {
  const now = useStore(live, DRAW_MS)
  const { blocks, status } = now
  const figures = useRead<JsonOf<ExplorerMetrics>>('/v1/explorer/metrics', {}, true).value
  const [newest] = blocks
  const certificate = status?.commit_qc
  const signers = certificate?.signers.length
  return (
    <Tiles label="Chain status">
      <Tile name="Height" note={newest === undefined ? undefined : <Time ms={newest.time_ms} />}>
        {grouped(heightOf(now))}
      </Tile>
      <Tile name="Finality" note={certificate && `final by its certificate of view ${certificate.view}`}>
        {certificate === undefined || certificate === null
          ? '–'
          : `${signers} of ${status?.commit_committee.length} votes`}
      </Tile>
      <Tile name="Rate" note="over the last 30 s">
        {rateOf(blocks, Date.now()).toFixed(1)} tx/s
      </Tile>
      <Tile name="Commit time" note="average from the start of a height">
        {typeof figures?.avg_commit_time_ms === 'number' ? durationText(figures.avg_commit_time_ms) : '–'}
      </Tile>
      <Tile name="Transactions" note={figures && `${grouped(figures.transactions_rejected)} rejected`}>
        {figures === undefined ? '–' : grouped(figures.transactions_accepted)}
      </Tile>
      <Tile name="Queue" note="transactions queued on this node">
        {status === undefined ? '–' : grouped(status.queue_size)}
      </Tile>
      <Tile name="Peers" note={status && `quorum ${status.quorum} of ${status.committee.length}`}>
        {figures === undefined ? '–' : `${grouped(figures.peers)} connected`}
      </Tile>
      <Tile
        name="Accounts"
        note={
          figures &&
          `${count(figures.domains, 'domain')}, ${count(figures.asset_definitions, 'asset')}, ${count(figures.nfts, 'NFT')}`
        }
      >
        {figures === undefined ? '–' : grouped(figures.accounts)}
      </Tile>
    </Tiles>
  )
}

export function Overview() {
  const { blocks } = useStore(live, DRAW_MS)
  const bin = Math.floor(Date.now() / BIN_MS)
  const pace = useMemo(() => paceOf(blocks, bin * BIN_MS), [blocks, bin])
  const intervals = useMemo(() => intervalsOf(blocks), [blocks])
  return (
    <>
      <Figures />
      <div class="pair">
        <Section title="Throughput">
          <Plot name="Transactions per second, two minutes" points={pace} />
        </Section>
        <Section title="Block times">
          <Plot name="From block to block, by height" points={intervals} write={durationText} over="height" />
        </Section>
      </div>
      <History />
      <div class="pair">
        <Section title="Blocks" aside={<Link page="blocks">All blocks</Link>}>
          <Table
            name="Latest blocks"
            columns={blockColumns.slice(0, 4)}
            rows={blocks.slice(0, SHOWN)}
            keyOf={({ height }) => height}
            empty="No block yet."
          />
        </Section>
        <Section title="Transactions" aside={<Link page="transactions">All transactions</Link>}>
          <LatestTransactions limit={SHOWN} />
        </Section>
      </div>
    </>
  )
}
