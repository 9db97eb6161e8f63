/** Owns the load panes: payload broadcast, lanes, throughput and queue. */
import type { RbcSessionRecord } from '../../../api/index.js'
import { durationText } from '../../../base/duration-text.js'
import { clean } from '../../text/escape.js'
import { count } from '../../text/figures.js'
import { laneRows } from '../lane-rows.js'
import type { WatchModel } from '../model.js'
import { shownLanes, shownSessions } from '../rows.js'
import { bar, brief, bytesText, cell, type Glyphs, type Line, line, span, spark, tinyHash } from '../text.js'
import type { Ui } from '../ui-state.js'
import { waitingLines } from './consensus.js'
import { windowed } from './window.js'

/** Title of the pane of payload broadcast. */
export const broadcastTitle = ({ rbc }: WatchModel): string =>
  `Payload broadcast (RBC)${rbc === undefined ? '' : ` ${rbc.sessionsActive} active`}`

/** Sessions, then the store. */
export function broadcastLines(model: WatchModel, ui: Ui, height: number): Line[] {
  const { rbc } = model
  if (rbc === undefined) return waitingLines(model, 'rbc')
  const store = line(
    span('store ', 'dim'),
    span(`${bytesText(rbc.storeBytes)} of ${bytesText(rbc.storeHardBytes)}`, rbc.storePressure > 0 ? 'warn' : 'plain'),
    rbc.storePressure > 0 ? span(` ! pressure ${rbc.storePressure}`, 'bad') : '',
    `  stash ${rbc.stashMessages}  deferred ${rbc.backpressureDeferralsTotal}`,
  )
  const totals = line(
    span('total ', 'dim'),
    `${count(rbc.sessionsDeliveredTotal)} delivered, ${rbc.sessionsExpiredTotal} expired, ${rbc.sessionsEvictedTotal} evicted`,
  )
  if (!rbc.dataAvailability && model.sessions.length === 0)
    return [line(span('off: payloads travel with the proposals', 'dim')), store]
  const sessions = shownSessions(model, ui)
  const selectable = ui.pane === 'broadcast'
  const { shown, first, above, below } = windowed(sessions, selectable ? ui.selected : 0, Math.max(1, height - 2))
  const lines = shown.map((one, at) => sessionLine(one, selectable && first + at === ui.selected))
  const more = above + below === 0 ? [] : [line(span(`  +${above + below} more`, 'dim'))]
  return [...(lines.length === 0 ? [line(span('no sessions', 'dim'))] : lines), ...more, store, totals]
}

function sessionLine(one: RbcSessionRecord, chosen: boolean): Line {
  const state = one.invalid
    ? span('✗ INVALID', 'bad')
    : one.delivered
      ? span('✓ delivered', 'good')
      : span('· waiting', one.ended ? 'dim' : 'warn')
  return line(
    span(chosen ? '▸' : ' ', 'accent'),
    `h${count(one.height)} v${one.view} ${tinyHash(one.blockHash)} ${one.receivedChunks}/${one.totalChunks} `,
    bar(one.totalChunks === 0 ? 1 : one.receivedChunks / one.totalChunks, 6),
    ` R${one.readyCount} D${one.deliverCount} `,
    state,
  )
}

/** Title of the pane of lanes. */
export const laneTitle = (model: WatchModel): string => `Lanes ${laneRows(model).length || 'off'}`

/** Lanes with their load and backlog. */
export function laneLines(model: WatchModel, ui: Ui, height: number): Line[] {
  if (model.status === undefined) return waitingLines(model, 'status')
  const rows = shownLanes(model, ui)
  if (rows.length === 0) return [line(span('all transactions use one lane', 'dim'))]
  const selectable = ui.pane === 'lanes'
  const { shown, first, above, below } = windowed(rows, selectable ? ui.selected : 0, Math.max(1, height - 1))
  const lines = shown.map((row, at) => {
    const share = row.capacity === 0 ? 0 : row.committed / row.capacity
    return line(
      span(selectable && first + at === ui.selected ? '▸' : ' ', 'accent'),
      `${String(row.lane).padStart(3)} ${cell(row.alias, 12)} ${brief(row.backlog).padStart(8)}  `,
      bar(share, 8),
      `${row.capacity === 0 ? '   –' : `${Math.round(share * 100)}%`.padStart(4)} ${brief(row.transactions).padStart(6)}`,
      row.ageBlocks > row.starvationBound ? span(` ! waiting for ${row.ageBlocks} blocks`, 'bad') : '',
    )
  })
  const more = above + below === 0 ? [] : [line(span(`    +${above + below} more`, 'dim'))]
  return [line(span('   # alias         waiting  units of cap      tx', 'dim')), ...lines, ...more]
}

/** Counts of completed seconds, without the current one. */
const finished = (counts: readonly number[]): readonly number[] => counts.slice(0, -1)

/** Rate over the last finished seconds, per second. */
export function rateOf(counts: readonly number[]): number {
  const last = finished(counts).slice(-RATE_SECONDS)
  return last.length === 0 ? 0 : last.reduce((sum, one) => sum + one, 0) / last.length
}
const RATE_SECONDS = 3

/** Proposal with the earliest next step, and its time. */
function proposalSpan({ proposal, nowMs }: WatchModel) {
  if (proposal === undefined || proposal === null) return ''
  const due = proposal.dueMs <= nowMs ? 'due' : `in ${durationText(proposal.dueMs - nowMs)}`
  return span(`   proposal ${proposal.proposal} ${proposal.status}, ${due}: ${clean(proposal.title)}`, 'accent')
}

/** Rates, queue, totals and links. */
export function throughputLines(model: WatchModel, width: number, glyphs: Glyphs): Line[] {
  const { status, queue, peers, consensus, calls } = model
  const graph = Math.max(4, Math.min(60, width - 34))
  const linked = peers.filter(({ connected }) => connected).length
  const graphLine = (name: string, now: number, values: readonly number[]): Line =>
    line(
      span(name.padEnd(7), 'dim'),
      brief(now).padStart(7),
      ' ',
      span(spark(values, graph, glyphs), 'accent'),
      span(`  peak ${brief(Math.max(0, ...values))}`, 'dim'),
    )
  const rateLine = (name: string, counts: readonly number[]): Line => graphLine(name, rateOf(counts), finished(counts))
  return [
    rateLine('tx/s', model.rates),
    rateLine('pay/s', model.paymentRates),
    graphLine('queue', consensus?.queueSize ?? status?.queueSize ?? 0, queue),
    status === undefined
      ? waitingLines(model, 'status')[0]!
      : line(
          span('total  ', 'dim'),
          `approved ${count(status.txsApproved)}   rejected ${count(status.txsRejected)}`,
          status.txsApproved + status.txsRejected === 0
            ? ''
            : span(` (${((100 * status.txsRejected) / (status.txsApproved + status.txsRejected)).toFixed(2)}%)`, 'dim'),
        ),
    line(
      span('peers  ', 'dim'),
      span(`${linked}/${peers.length} connected`, linked < peers.length ? 'warn' : 'plain'),
      calls === undefined || calls === 0
        ? ''
        : span(`   ${count(calls)} ${calls === 1 ? 'call' : 'calls'} active`, 'accent'),
      proposalSpan(model),
      status === undefined || status.synced ? '' : span('   ! not synced', 'bad'),
      status === undefined || status.inQuorum ? '' : span('   ! not in a quorum', 'bad'),
    ),
  ]
}

/** Summary on one line, for small screens. */
export function throughputShort(model: WatchModel, width: number, glyphs: Glyphs): Line {
  const { status, queue, peers, consensus } = model
  const graph = width >= 80 ? 12 : 6
  const linked = peers.filter(({ connected }) => connected).length
  const totals =
    status === undefined || width < 80 ? '' : `  ok ${brief(status.txsApproved)}  rej ${brief(status.txsRejected)}`
  return line(
    span(' tx/s ', 'dim'),
    `${brief(rateOf(model.rates))} `,
    span(spark(finished(model.rates), graph, glyphs), 'accent'),
    ...(width >= 100 ? [span('  pay/s ', 'dim'), brief(rateOf(model.paymentRates))] : []),
    span('  queue ', 'dim'),
    `${brief(consensus?.queueSize ?? status?.queueSize ?? 0)} `,
    span(spark(queue, Math.floor(graph * 0.7), glyphs), 'accent'),
    totals,
    span(`  peers ${linked}/${peers.length}`, linked < peers.length ? 'warn' : 'plain'),
  )
}
