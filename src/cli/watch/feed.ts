/** Owns the data feed of the dashboard: streams of a node, and routes polled every two seconds. */

import {
  CONSENSUS,
  evidenceCount,
  pacemakerRecord,
  qcSummary,
  type StreamEvent,
  streamEvent,
  type TransactionEvent,
  timeStatus,
  timeStatusRoute,
} from '../../api/index.js'
import { sleep } from '../../base/sleep.js'
import { decodedValue } from '../../client/decoded.js'
import type { CausewayClient } from '../../client/index.js'
import { type CodecContext, pascalCase, type Schema } from '../../codec/index.js'
import { countsRoute } from '../../features/conference/schema/routes.js'
import { countsView } from '../../features/conference/schema/views.js'
import { proposalsRoute } from '../../features/gov/schema/routes.js'
import { type ProposalItem, proposalPage } from '../../features/gov/schema/views.js'
import { events as iso } from '../../features/iso20022/schema/events.js'
import { evidenceCountRoute } from '../../features/peers/schema.js'
import { LedgerError } from '../../model/errors.js'
import { isEvent } from '../../model/index.js'
import { TRAP, trapName } from '../../vm/traps.js'
import { eventLine } from '../gateway/tail.js'
import { clean } from '../text/escape.js'
import { count } from '../text/figures.js'
import type { NextProposal, Poll, WatchEvent, WatchInput } from './model.js'
import { tinyHash } from './text.js'

/** Interval between polls, in ms. */
export const POLL_MS = 2_000
/** Delay before a broken stream is reopened, in ms. */
const REOPEN_MS = 1_000
/** Maximum events besides blocks per second: a screen cannot show more. */
const EVENTS_PER_SECOND = 50

/** Codes after which a route is no longer polled: the node does not serve it, or not to this client. */
const REFUSALS: readonly string[] = [
  'telemetry_profile_restricted',
  'route_not_found',
  'unauthorised',
  'forbidden',
  'not_permitted',
]

export interface FeedOptions {
  readonly client: CausewayClient
  readonly apply: (input: WatchInput) => void
  readonly signal: AbortSignal
  /** True to show every event instead of blocks and rejected transactions. */
  readonly allEvents: boolean
  readonly pollMs?: number
}

/** Poll until the signal is aborted; never rejects because of the node. */
export async function runFeed(options: FeedOptions): Promise<void> {
  await Promise.all([pollForEver(options), followStatus(options), followEvents(options)])
}

type Reader = (client: CausewayClient) => Promise<WatchInput>

async function recordOf<T>(client: CausewayClient, path: string, schema: Schema<T>): Promise<T> {
  const answer = await client.api('GET', path, { accept: 'application/json' })
  return decodedValue(schema.parseJson(answer.body))
}

const now = (): number => Date.now()

/** Maximum open proposals of a chain. */
const PROPOSALS_MAX = 128

/** Proposal with the earliest next step. */
function nextOf(items: readonly ProposalItem[]): NextProposal | null {
  const steps = items.flatMap(({ proposal, title, status, dueMs }) =>
    dueMs === undefined ? [] : [{ proposal, title, status, dueMs }],
  )
  return steps.reduce<NextProposal | null>(
    (first, one) => (first !== null && first.dueMs <= one.dueMs ? first : one),
    null,
  )
}

/** Reader of each polled route. */
const READERS: Readonly<Record<Poll, Reader>> = {
  status: async (client) => ({ kind: 'status', value: await client.status(), atMs: now() }),
  consensus: async (client) => ({ kind: 'consensus', value: await client.consensusStatus(), atMs: now() }),
  peers: async (client) => ({ kind: 'peers', value: (await client.peers()).items, atMs: now() }),
  time: async (client) => {
    const { samples } = await recordOf(client, timeStatusRoute.path, timeStatus)
    return { kind: 'time', value: new Map(samples.map(({ peer, lastRttMs }) => [peer, lastRttMs])), atMs: now() }
  },
  evidence: async (client) => {
    const { count: value } = await recordOf(client, evidenceCountRoute.path, evidenceCount)
    return { kind: 'evidence', value, atMs: now() }
  },
  calls: async (client) => {
    const { activeCalls } = await recordOf(client, countsRoute.path, countsView)
    return { kind: 'calls', value: activeCalls, atMs: now() }
  },
  proposal: async (client) => {
    const { items } = await recordOf(client, `${proposalsRoute.path}?is_open=true&limit=${PROPOSALS_MAX}`, proposalPage)
    return { kind: 'proposal', value: nextOf(items), atMs: now() }
  },
  pacemaker: async (client) => {
    const value = await recordOf(client, CONSENSUS.pacemaker.path, pacemakerRecord)
    return { kind: 'pacemaker', value, atMs: now() }
  },
  qc: async (client) => ({ kind: 'qc', value: await recordOf(client, CONSENSUS.qc.path, qcSummary), atMs: now() }),
  rbc: async (client) => ({ kind: 'rbc', value: await client.rbc(), atMs: now() }),
  sessions: async (client) => ({ kind: 'sessions', value: (await client.rbcSessions()).items, atMs: now() }),
}
const POLLS = Object.keys(READERS) as Poll[]

/** Poll every route once; returns the routes that the node refuses. Reports a loss if no route responded. */
export async function pollOnce(
  { client, apply, pollMs = POLL_MS }: Pick<FeedOptions, 'client' | 'apply' | 'pollMs'>,
  skip: ReadonlySet<Poll> = new Set(),
): Promise<readonly Poll[]> {
  const refused: Poll[] = []
  let answered = false
  let failure = 'no response'
  await Promise.all(
    POLLS.filter((poll) => !skip.has(poll)).map(async (poll) => {
      try {
        const input = await READERS[poll](client)
        answered = true
        apply(input)
      } catch (error) {
        if (!(error instanceof LedgerError)) throw error
        if (REFUSALS.includes(error.code)) {
          answered = true
          refused.push(poll)
          apply({ kind: 'refused', route: poll, why: error.message, atMs: now() })
        } else failure = error.message
      }
    }),
  )
  // If all routes are refused nothing is polled; the streams show whether the node is reachable.
  if (!answered && skip.size < POLLS.length) apply({ kind: 'lost', why: failure, retryMs: now() + pollMs, atMs: now() })
  return refused
}

async function pollForEver(options: FeedOptions): Promise<void> {
  const { signal, pollMs = POLL_MS } = options
  const skip = new Set<Poll>()
  while (!signal.aborted) {
    for (const poll of await pollOnce(options, skip)) skip.add(poll)
    await sleep(pollMs, { signal })
  }
}

/** Reopen a stream until it is refused or the signal is aborted. */
async function keep<T>(
  open: () => AsyncIterable<T>,
  take: (item: T) => void,
  signal: AbortSignal,
): Promise<LedgerError | undefined> {
  while (!signal.aborted) {
    try {
      for await (const item of open()) take(item)
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error
      if (REFUSALS.includes(error.code)) return error
    }
    await sleep(REOPEN_MS, { signal })
  }
  return undefined
}

async function followStatus({ client, apply, signal }: FeedOptions): Promise<void> {
  await keep(
    () => client.consensusStatuses({ signal }),
    (value) => apply({ kind: 'consensus', value, atMs: now() }),
    signal,
  )
}

/** Events of payments decided by a block. */
const PAYMENT_EVENTS = [iso.messageClaimed, iso.paymentSettled, iso.paymentRejected]

/**
 * Subjects whose events are shown beside blocks: changes of names and of guest permissions are rare and relevant to
 * all.
 */
const SHOWN_SUBJECTS = ['name', 'space']

const isOfPayment = ({ event }: StreamEvent): boolean =>
  event.kind === 'data' && PAYMENT_EVENTS.some((one) => isEvent(event.value.event, one))

async function followEvents({ client, apply, signal, allEvents }: FeedOptions): Promise<void> {
  const filters = allEvents
    ? []
    : [
        { category: 'block' as const },
        { category: 'transaction' as const, status: 'rejected' as const },
        ...PAYMENT_EVENTS.map(({ kind }) => ({ category: 'data' as const, kind: pascalCase(kind) })),
        ...SHOWN_SUBJECTS.map((subject) => ({ category: 'data' as const, subject })),
      ]
  const begin = await beginningOf(client, signal)
  if (begin === undefined) return
  const { codec, fromHeight } = begin
  const budget = new Budget((text, atMs) => apply({ kind: 'event', value: gapEvent(text, atMs), atMs }))
  let seen = 0
  /** Payments of the current block, whose own event is its last one. */
  let payments = 0
  const refusal = await keep(
    () => {
      payments = 0
      return client.events({ filters, signal, fromHeight: Math.max(fromHeight, seen + 1) })
    },
    (item) => {
      const atMs = now()
      if (item.kind === 'gap') {
        const { from, to } = item.value
        apply({ kind: 'event', value: gapEvent(`this node does not replay heights ${from} to ${to}`, atMs), atMs })
        return
      }
      if (item.value.event.kind === 'block') {
        const { height, hash, transactions, rejected } = item.value.event.value
        seen = height
        const hex = Buffer.from(hash).toString('hex')
        const { timeMs } = item.value
        apply({ kind: 'block', value: { height, hash: hex, transactions, rejected, payments, timeMs }, atMs })
        payments = 0
        return
      }
      if (isOfPayment(item.value)) {
        payments += 1
        if (!allEvents) return
      }
      if (budget.spend(atMs)) apply({ kind: 'event', value: watchEvent(item.value, codec, atMs), atMs })
    },
    signal,
  )
  if (refusal !== undefined) {
    const atMs = now()
    apply({ kind: 'event', value: gapEvent(`no events: ${clean(refusal.message)}`, atMs), atMs })
  }
}

/** Codec of the chain and the height after the tip; undefined if the signal was aborted first. */
async function beginningOf(
  client: CausewayClient,
  signal: AbortSignal,
): Promise<{ readonly codec: CodecContext; readonly fromHeight: number } | undefined> {
  while (!signal.aborted) {
    try {
      return { codec: await client.codec(), fromHeight: (await client.height()) + 1 }
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error
      await sleep(REOPEN_MS, { signal })
    }
  }
  return undefined
}

/** Results of contract calls, appended to the line of their transaction. */
function calledText({ trap, abortCode, gasUsed }: NonNullable<TransactionEvent['called']>): string {
  const how = trap === TRAP.ok ? '' : ` trap ${trapName(trap) ?? trap}${trap === TRAP.aborted ? ` ${abortCode}` : ''}`
  return `${how} gas ${gasUsed}`
}

/** Transaction or state change on one line. */
function watchEvent(item: StreamEvent, codec: CodecContext, atMs: number): WatchEvent {
  const jsonForm = streamEvent.toJson(item, codec)
  const { event } = item
  const fields = { event: jsonForm }
  if (event.kind === 'transaction') {
    const { status, hash, rejection, called } = event.value
    const place = rejection?.instruction === undefined ? '' : ` at instruction ${rejection.instruction}`
    const why = rejection === undefined ? '' : ` [${clean(rejection.code)}]${place}`
    return {
      atMs,
      kind: status === 'rejected' ? 'REJECT' : 'TX',
      text: `${item.id ?? '-'} ${tinyHash(hash)} ${status}${why}${called === undefined ? '' : calledText(called)}`,
      trouble: status === 'rejected',
      hash: Buffer.from(hash).toString('hex'),
      fields,
    }
  }
  const hash = event.kind === 'data' ? event.value.transaction : undefined
  return {
    atMs,
    kind: 'CHANGE',
    text: clean(eventLine(item, jsonForm)),
    trouble: false,
    fields,
    hash: hash === undefined ? undefined : Buffer.from(hash).toString('hex'),
  }
}

const gapEvent = (text: string, atMs: number): WatchEvent => ({
  atMs,
  kind: 'GAP',
  text,
  trouble: false,
  fields: { detail: text },
})

/** Limiter of displayed events, which counts the dropped ones. */
class Budget {
  private second = 0
  private left = EVENTS_PER_SECOND
  private over = 0

  constructor(private readonly onMessage: (text: string, atMs: number) => void) {}

  /** True if another event may be shown in this second. */
  spend(atMs: number): boolean {
    const second = Math.floor(atMs / 1000)
    if (second !== this.second) {
      if (this.over > 0) this.onMessage(`${count(this.over)} more events within one second are not shown`, atMs)
      Object.assign(this, { second, left: EVENTS_PER_SECOND, over: 0 })
    }
    if (this.left > 0) {
      this.left -= 1
      return true
    }
    this.over += 1
    return false
  }
}
