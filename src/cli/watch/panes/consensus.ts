/** Owns the panes of the current height and of the certificates. */

import type { EpochStatus, QcSubject } from '../../../api/index.js'
import { durationText } from '../../../base/duration-text.js'
import { formatNumeric } from '../../../codec/index.js'
import { nameOf } from '../../gateway/node-names.js'
import { clean } from '../../text/escape.js'
import { count } from '../../text/figures.js'
import { RECENT_MS, type WatchModel } from '../model.js'
import { bar, type Line, line, span, tinyHash } from '../text.js'

/** Phases in order; other phases reported by a node follow. */
const PHASES = ['propose', 'prepare', 'commit', 'execute', 'apply']

/** Title of the pane: `Height 18 402 · view 0`. */
export const heightTitle = ({ consensus }: WatchModel): string =>
  consensus === undefined ? 'Height –' : `Height ${count(consensus.decidingHeight)} · view ${consensus.view}`

const leaderName = (model: WatchModel): string =>
  model.consensus === undefined ? '–' : nameOf(model, model.consensus.proposer)

/** Time since the view began, relative to the time without commits, or to a running timeout. */
function elapsedText(model: WatchModel): string {
  const { pacemaker, consensus, nowMs, enteredMs } = model
  const elapsedMs = nowMs - enteredMs
  const elapsed = durationText(elapsedMs)
  if (consensus?.stall !== undefined) {
    return `${durationText(nowMs - consensus.stall.sinceMs)}, ${elapsed} of it in this view`
  }
  if (pacemaker?.armed === false) return `idle for ${elapsed}`
  // The timeout is polled: a value for another view does not apply to this one.
  const isOfThisView = pacemaker?.height === consensus?.decidingHeight && pacemaker?.view === consensus?.view
  const limitMs = pacemaker?.armed === true && isOfThisView ? pacemaker.viewTimeoutTargetMs : 0
  return elapsedMs < limitMs ? `${elapsed} in this view of ${durationText(limitMs)}` : `${elapsed} in this view`
}

function phaseNames({ consensus }: WatchModel): readonly string[] {
  const known = [...(consensus?.phases.keys() ?? [])]
  return [...PHASES.filter((one) => known.includes(one)), ...known.filter((one) => !PHASES.includes(one)).sort()]
}

const phaseMs = (us: number): string => `${us < 9_950 ? (us / 1000).toFixed(1) : Math.round(us / 1000)} ms`

/** Lines of the height: leader, time, phases of the last block, view changes. */
export function heightLines(model: WatchModel, width: number): Line[] {
  const { consensus } = model
  if (consensus === undefined) return waitingLines(model, 'consensus')
  const names = phaseNames(model)
  const longest = Math.max(1, ...names.map((name) => consensus.phases.get(name)?.lastUs ?? 0))
  const room = Math.max(4, Math.min(24, width - 36))
  return [
    line(
      span('leader   ', 'dim'),
      span(leaderName(model), 'accent'),
      `   quorum ${consensus.quorum}/${consensus.committee.length}  f=${consensus.faultBudget}`,
    ),
    line(span('waiting  ', 'dim'), elapsedText(model)),
    ...(consensus.epoch === undefined ? [] : [line(span('epoch    ', 'dim'), epochText(consensus.epoch))]),
    ...(names.length === 0 ? [line(span('no block decided since this node started', 'dim'))] : []),
    ...names.map((name) => {
      const { lastUs, emaUs } = consensus.phases.get(name)!
      const size = Math.max(1, Math.round((lastUs / longest) * room))
      return line(
        span(clean(name).padEnd(9), 'dim'),
        span('━'.repeat(size).padEnd(room), 'good'),
        phaseMs(lastUs).padStart(8),
        span(`  avg ${phaseMs(emaUs)}`, 'dim'),
      )
    }),
    viewLine(model),
  ]
}

function viewLine(model: WatchModel): Line {
  const { consensus, viewChangesMs, nowMs } = model
  const recent = viewChangesMs.filter((at) => nowMs - at < RECENT_MS).length
  const reasons = [...(consensus?.viewChangeReasons ?? [])].map(([reason, times]) => `${clean(reason)} ${times}`)
  return line(
    span('views    ', 'dim'),
    span(`${recent} recently`, recent > 0 ? 'warn' : 'plain'),
    `, ${consensus?.viewChanges ?? 0} since start`,
    span(reasons.length === 0 ? '' : ` (${reasons.join(', ')})`, 'dim'),
  )
}

/** Two lines about the height, for small screens. */
export function heightShort(model: WatchModel): Line[] {
  const { consensus } = model
  if (consensus === undefined) return waitingLines(model, 'consensus')
  const phases = phaseNames(model).map(
    (name) => `${clean(name)} ${Math.round(consensus.phases.get(name)!.lastUs / 1000)}`,
  )
  const qc = consensus.commitQc
  return [
    line(
      span('last  ', 'dim'),
      phases.length === 0 ? 'no block decided since this node started' : `${phases.join('  ')} ms`,
    ),
    line(
      span('cert  ', 'dim'),
      `h${count(consensus.height)} v${qc?.view ?? 0} ${tinyHash(consensus.blockHash)} `,
      span(`✓ ${qc?.signers.length ?? 0}/${consensus.committee.length}`, 'good'),
      `  ${sinceCommit(model)}  root ${tinyHash(consensus.stateRoot)}`,
    ),
  ]
}

/** Current epoch: remaining time, seats with their total stake, and the seats of the next epoch. */
function epochText({ number, blocksLeft, seats, next }: EpochStatus): string {
  const least = seats.map(({ stake }) => formatNumeric(stake)).sort((a, b) => Number(a) - Number(b))[0]
  const after = next === undefined ? '' : `, next ${next.length}`
  return `${number}, ${blocksLeft} blocks left, ${seats.length} seats, lowest stake ${least ?? '–'}${after}`
}

/** Title of the small pane, with leader and quorum. */
export const heightShortTitle = (model: WatchModel): string => {
  const { consensus } = model
  const quorum = consensus === undefined ? '' : ` · quorum ${consensus.quorum}/${consensus.committee.length}`
  return `${heightTitle(model)} · leader ${leaderName(model)}${quorum}`
}

/** Age of the last commit; the dashboard knows it only for commits since it connected. */
const sinceCommit = ({ committedMs, nowMs }: WatchModel): string =>
  committedMs === undefined ? 'before connecting' : `${durationText(nowMs - committedMs)} ago`

/** Lines about certificates and block intervals. */
export function certificateLines(model: WatchModel): Line[] {
  const { consensus, qc, blockTimesMs, emptyBlocks, evidence, refused } = model
  if (consensus === undefined) return waitingLines(model, 'consensus')
  const commit = consensus.commitQc
  const of = consensus.committee.length
  const detail = refused.has('qc')
  return [
    line(
      span('last commit  ', 'dim'),
      `h${count(consensus.height)} ${tinyHash(consensus.blockHash)}  ${sinceCommit(model)}`,
    ),
    line(
      span('certificate  ', 'dim'),
      commit === undefined ? 'none yet' : `v${commit.view}  `,
      commit === undefined ? '' : span(`✓ ${commit.signers.length}/${of} signed`, 'good'),
      commit === undefined ? '' : ` ${bar(commit.signers.length / of, Math.min(of, 12))}`,
    ),
    line(span('highest QC   ', 'dim'), detail ? subjectless(consensus.highestPrepareView) : subjectText(qc?.highestQc)),
    line(span('locked QC    ', 'dim'), detail ? span('not served by this node', 'dim') : subjectText(qc?.lockedQc)),
    line(span('state root   ', 'dim'), tinyHash(consensus.stateRoot)),
    line(span('block time   ', 'dim'), blockTimeText(blockTimesMs, emptyBlocks)),
    line(
      span('evidence     ', 'dim'),
      evidence === undefined ? '–' : span(`${evidence} proven faults`, evidence > 0 ? 'warn' : 'plain'),
    ),
    ...(consensus.divergence === undefined
      ? []
      : [line(span(`! h${consensus.divergence.height} computed different roots here`, 'bad'))]),
  ]
}

const subjectText = (one: QcSubject | undefined): string =>
  one === undefined ? '–' : `h${count(one.height)} v${one.view} ${tinyHash(one.subjectBlockHash)}`
const subjectless = (view: number | undefined): string => (view === undefined ? '–' : `v${view} of this height`)

function blockTimeText(times: readonly number[], empty: readonly boolean[]): string {
  if (times.length === 0) return '–'
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number): string =>
    durationText(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!)
  const share = Math.round((100 * empty.filter(Boolean).length) / Math.max(1, empty.length))
  return `p50 ${at(0.5)}  p95 ${at(0.95)}   empty ${share}%`
}

/** Content of a pane before its data arrived, or if it is refused. */
export function waitingLines({ refused }: WatchModel, route: 'consensus' | 'rbc' | 'status'): Line[] {
  const why = refused.get(route)
  return [line(span(why === undefined ? 'waiting for the node' : `not served: ${why}`, 'dim'))]
}
