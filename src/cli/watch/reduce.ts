/** Owns the reducer of the dashboard's model: a pure function of model and update. */

import type { ConsensusStatus, PeerRecord } from '../../api/index.js'
import { durationText } from '../../base/duration-text.js'
import { nameOf } from '../gateway/node-names.js'
import { clean } from '../text/escape.js'
import {
  type BlockSeen,
  type Connection,
  EVENTS_MAX,
  type EventKind,
  HISTORY_MAX,
  PARTICIPATION_COMMITS,
  type Participation,
  RECENT_MS,
  TRANSACTION_KINDS,
  type WatchEvent,
  type WatchInput,
  type WatchModel,
} from './model.js'
import { named } from './names.js'

const push = <T>(items: readonly T[], item: T, most: number): readonly T[] =>
  items.length < most ? [...items, item] : [...items.slice(items.length - most + 1), item]

interface EventDetails {
  readonly trouble?: boolean
  readonly hash?: string | undefined
  readonly fields?: Readonly<Record<string, unknown>>
}

function recordEvent(
  model: WatchModel,
  atMs: number,
  kind: EventKind,
  text: string,
  more: EventDetails = {},
): WatchModel {
  const { trouble = false, hash, fields = {} } = more
  return record(model, { atMs, kind, text, trouble, fields, hash })
}

const record = (model: WatchModel, event: WatchEvent): WatchModel => ({
  ...model,
  events: push(model.events, event, EVENTS_MAX),
  transactions: TRANSACTION_KINDS.includes(event.kind)
    ? push(model.transactions, event, EVENTS_MAX)
    : model.transactions,
  eventCount: model.eventCount + 1,
})

/** Model after an input. */
export function reduce(before: WatchModel, input: WatchInput): WatchModel {
  const model = advance(before, input.atMs)
  switch (input.kind) {
    case 'tick':
      return model
    case 'lost':
      return lost(model, input)
    case 'refused':
      return { ...reconnected(model), refused: new Map(model.refused).set(input.route, clean(input.why)) }
    case 'status':
      return {
        ...reconnected(model),
        status: input.value,
        queue: push(model.queue, input.value.queueSize, HISTORY_MAX),
      }
    case 'consensus':
      return consensusChanged(reconnected(model), input.value)
    case 'peers':
      return peersChanged(reconnected(model), input.value)
    case 'time':
      return { ...reconnected(model), roundTrips: input.value }
    case 'block':
      return blockCommitted(reconnected(model), input.value)
    case 'event':
      return record(reconnected(model), input.value)
    case 'evidence':
    case 'calls':
    case 'proposal':
    case 'pacemaker':
    case 'qc':
    case 'rbc':
    case 'sessions':
      return { ...reconnected(model), [input.kind]: input.value }
  }
}

/** Advance the time: seconds without a block have no transactions. */
function advance(model: WatchModel, atMs: number): WatchModel {
  const nowMs = Math.max(model.nowMs, atMs)
  const second = Math.floor(nowMs / 1000)
  const passed = second - model.rateSecond
  if (passed <= 0) return nowMs === model.nowMs ? model : { ...model, nowMs }
  const zeros = new Array<number>(Math.min(passed, HISTORY_MAX)).fill(0)
  const on = (counts: readonly number[]): readonly number[] => [...counts, ...zeros].slice(-HISTORY_MAX)
  return { ...model, nowMs, rateSecond: second, rates: on(model.rates), paymentRates: on(model.paymentRates) }
}

/** Record a response of the node. */
function reconnected(model: WatchModel): WatchModel {
  const { connection, nowMs } = model
  const live: Connection = { state: 'live', contactMs: nowMs, retryMs: nowMs, why: '' }
  if (connection.state === 'live') return { ...model, connection: live }
  const away = nowMs - connection.contactMs
  return recordEvent(
    { ...model, connection: live },
    nowMs,
    'BACK',
    `the node responds again after ${durationText(away)}`,
    {
      fields: { away_ms: away },
    },
  )
}

function lost(model: WatchModel, { why, retryMs }: { readonly why: string; readonly retryMs: number }): WatchModel {
  const { connection, nowMs } = model
  const text = clean(why)
  const away: Connection = { state: 'lost', contactMs: connection.contactMs, retryMs, why: text }
  if (connection.state === 'lost') return { ...model, connection: away }
  return recordEvent({ ...model, connection: away }, nowMs, 'LOST', text, { trouble: true, fields: { reason: text } })
}

/** Prefix for conditions that existed at the first poll, whose start time is unknown. */
const already = (was: unknown): string => (was === undefined ? 'earlier: ' : '')

function consensusChanged(before: WatchModel, now: ConsensusStatus): WatchModel {
  const was = before.consensus
  const at = before.nowMs
  let model: WatchModel = { ...before, consensus: now }
  if (was === undefined || was.height !== now.height) {
    // Heights below the first one were committed before the dashboard started.
    if (was !== undefined) model = { ...model, committedMs: at }
    model = { ...model, participation: participationAfter(model.participation, now) }
  }
  if (was === undefined || was.decidingHeight !== now.decidingHeight || was.view !== now.view)
    model = { ...model, enteredMs: at }
  if (was !== undefined) model = viewsChanged(model, was, now)
  if (now.stall !== undefined && was?.stall?.reason !== now.stall.reason) {
    const { reason, missing, text, sinceMs } = now.stall
    const fields = { reason, missing: missing.map((one) => named(model, one)), since_ms: sinceMs }
    model = recordEvent(model, at, 'STALL', `${already(was)}${named(model, text)}`, { trouble: true, fields })
  } else if (now.stall === undefined && was?.stall !== undefined) {
    const stalledMs = Math.max(0, at - was.stall.sinceMs)
    const text = `the chain advances again after ${durationText(stalledMs)}`
    model = recordEvent(model, at, 'MOVES', text, { fields: { stalled_ms: stalledMs } })
  }
  if (now.halted !== undefined && was?.halted === undefined)
    model = recordEvent(model, at, 'HALT', `${already(was)}${clean(now.halted)}`, {
      trouble: true,
      fields: { detail: clean(now.halted) },
    })
  return model
}

function viewsChanged(model: WatchModel, was: ConsensusStatus, now: ConsensusStatus): WatchModel {
  const more = now.viewChanges - was.viewChanges
  // A lower number: the node was restarted.
  if (more <= 0) return model
  const at = model.nowMs
  const reasons = [...now.viewChangeReasons]
    .filter(([reason, times]) => times > (was.viewChangeReasons.get(reason) ?? 0))
    .map(([reason]) => clean(reason))
  const recent = model.viewChangesMs.filter((one) => at - one < RECENT_MS)
  const next = [...recent, ...new Array<number>(Math.min(more, HISTORY_MAX)).fill(at)].slice(-HISTORY_MAX)
  const leader = nameOf(model, now.proposer)
  const text = `h${now.decidingHeight} v${now.view} leader ${leader} (${reasons.join(', ') || 'unknown reason'})`
  return recordEvent(
    { ...model, viewChangesMs: next },
    at,
    'VIEW',
    more > 1 ? `${text} and ${more - 1} before` : text,
    {
      trouble: true,
      fields: { height: now.decidingHeight, view: now.view, leader, reasons, changes: more },
    },
  )
}

/** Signers of the last commit certificate, counted for the members of its committee: the order differs per height. */
function participationAfter(before: Participation, now: ConsensusStatus): Participation {
  const qc = now.commitQc
  if (qc === undefined) return before
  const signers = new Set(qc.signers)
  const signed = now.commitCommittee.map(
    (key, at) => [key, push(before.get(key) ?? [], signers.has(at), PARTICIPATION_COMMITS)] as const,
  )
  const known = [...before].filter(([key]) => now.committee.includes(key))
  return new Map([...known, ...signed])
}

function peersChanged(before: WatchModel, peers: readonly PeerRecord[]): WatchModel {
  const was = new Map(before.peers.map((one) => [one.id, one.connected]))
  const since = already(before.peers[0])
  let model: WatchModel = { ...before, peers }
  for (const { id, connected, lastError } of peers) {
    const old = was.get(id)
    if (old === connected || (old === undefined && connected)) continue
    const name = nameOf(model, id)
    const why = lastError === undefined ? '' : ` (${clean(lastError)})`
    const text = connected ? `${name} is connected` : `${since}${name} is not connected${why}`
    model = recordEvent(model, model.nowMs, 'PEER', text, {
      trouble: !connected,
      fields: { peer: name, key: clean(id), connected },
    })
  }
  return model
}

/** Add to the count of the current second. */
const counted = (counts: readonly number[], more: number): readonly number[] => [
  ...counts.slice(0, -1),
  (counts.at(-1) ?? 0) + more,
]

function blockCommitted(before: WatchModel, block: BlockSeen): WatchModel {
  const { lastBlock } = before
  const follows = lastBlock !== undefined && block.height === lastBlock.height + 1
  const model: WatchModel = {
    ...before,
    lastBlock: block,
    rates: counted(before.rates, block.transactions),
    paymentRates: counted(before.paymentRates, block.payments),
    blockTimesMs: follows
      ? push(before.blockTimesMs, Math.max(0, block.timeMs - lastBlock.timeMs), HISTORY_MAX)
      : before.blockTimesMs,
    emptyBlocks: push(before.emptyBlocks, block.transactions === 0, HISTORY_MAX),
  }
  const refused = block.rejected === 0 ? '' : `, ${block.rejected} rejected`
  const text = `h${block.height} ${block.hash.slice(0, 4)}…${block.hash.slice(-4)} ${block.transactions} tx${refused}`
  const { height, hash, transactions, rejected, timeMs } = block
  return recordEvent(model, before.nowMs, 'COMMIT', text, {
    hash,
    fields: { height, block_hash: hash, transactions, rejected, block_time_ms: timeMs },
  })
}
