/** Owns the dashboard model of a node: latest records, short histories, events. */

import type {
  ConsensusStatus,
  NodeStatus,
  PacemakerRecord,
  PeerRecord,
  QcSummary,
  RbcSessionRecord,
  RbcStatus,
} from '../../api/index.js'
import type { NodeIdentity } from '../gateway/node-names.js'

/** Number of values in a history: the width of the widest pane. */
export const HISTORY_MAX = 240
/** Maximum events kept for scrolling. */
export const EVENTS_MAX = 500
/** Number of commits over which the participation of a validator is counted. */
export const PARTICIPATION_COMMITS = 50
/** Age up to which view changes count as recent, in ms. */
export const RECENT_MS = 3_600_000

/** Polled routes; a node may not serve all of them. */
export type Poll =
  | 'status'
  | 'consensus'
  | 'peers'
  | 'time'
  | 'evidence'
  | 'pacemaker'
  | 'qc'
  | 'rbc'
  | 'sessions'
  | 'calls'
  | 'proposal'

/** Kinds of events about a transaction or its effects. */
export const TRANSACTION_KINDS: readonly EventKind[] = ['TX', 'REJECT', 'CHANGE']

/** Kind of an event, as shown by the events pane and the line mode. */
export type EventKind =
  | 'COMMIT'
  | 'VIEW'
  | 'STALL'
  | 'MOVES'
  | 'REJECT'
  | 'TX'
  | 'CHANGE'
  | 'PEER'
  | 'LOST'
  | 'BACK'
  | 'HALT'
  | 'GAP'
export interface WatchEvent {
  /** Time, ms since the Unix epoch. */
  readonly atMs: number
  readonly kind: EventKind
  readonly text: string
  readonly trouble: boolean
  /** Hash of its subject, hex. */
  readonly hash?: string | undefined
  /** Content as fields, for NDJSON. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** State of the connection to the node. */
export interface Connection {
  readonly state: 'live' | 'lost'
  /** Time of the last response, ms since the Unix epoch. */
  readonly contactMs: number
  /** Time of the next attempt, while lost. */
  readonly retryMs: number
  readonly why: string
}

/** Committed block from the event stream. */
export interface BlockSeen {
  readonly height: number
  readonly hash: string
  readonly transactions: number
  readonly rejected: number
  /** Number of payments that it decided. */
  readonly payments: number
  /** Time of the block, ms since the Unix epoch. */
  readonly timeMs: number
}

/** Open proposal of governance with the time of its next step. */
export interface NextProposal {
  readonly proposal: number
  readonly title: string
  readonly status: string
  /** Time of the step, ms since the Unix epoch. */
  readonly dueMs: number
}

/** Signers of the last commit certificates. */
export type Participation = ReadonlyMap<string, readonly boolean[]>

export interface WatchModel {
  readonly node: NodeIdentity
  /** Current time as of the last input or tick, ms since the Unix epoch. */
  readonly nowMs: number
  readonly connection: Connection
  readonly status: NodeStatus | undefined
  readonly consensus: ConsensusStatus | undefined
  readonly peers: readonly PeerRecord[]
  /** Round trip of the last clock sample in ms, by peer. */
  readonly roundTrips: ReadonlyMap<string, number>
  readonly evidence: number | undefined
  /** Number of active calls. */
  readonly calls: number | undefined
  /** Open proposal with the earliest next step; null if none is open. */
  readonly proposal: NextProposal | null | undefined
  readonly pacemaker: PacemakerRecord | undefined
  readonly qc: QcSummary | undefined
  readonly rbc: RbcStatus | undefined
  readonly sessions: readonly RbcSessionRecord[]
  /** Reason why a route is no longer requested. */
  readonly refused: ReadonlyMap<Poll, string>
  /** Time when the current height or view was first seen. */
  readonly enteredMs: number
  /** Time when the last commit was seen. */
  readonly committedMs: number | undefined
  readonly participation: Participation
  readonly viewChangesMs: readonly number[]
  readonly lastBlock: BlockSeen | undefined
  /** Intervals between consecutive blocks in ms, and whether they were empty. */
  readonly blockTimesMs: readonly number[]
  readonly emptyBlocks: readonly boolean[]
  /** Transactions of each past second; the last entry is the current second. */
  readonly rates: readonly number[]
  /** Payments of messages in the same seconds. */
  readonly paymentRates: readonly number[]
  readonly rateSecond: number
  readonly queue: readonly number[]
  readonly events: readonly WatchEvent[]
  /** Events of transactions and their changes, which blocks do not evict. */
  readonly transactions: readonly WatchEvent[]
  /** Number of events so far, including evicted ones. */
  readonly eventCount: number
}

/** Model before the first poll. */
export const newModel = (node: NodeIdentity, nowMs: number): WatchModel => ({
  node,
  nowMs,
  connection: { state: 'live', contactMs: nowMs, retryMs: nowMs, why: '' },
  status: undefined,
  consensus: undefined,
  peers: [],
  roundTrips: new Map(),
  evidence: undefined,
  calls: undefined,
  proposal: undefined,
  pacemaker: undefined,
  qc: undefined,
  rbc: undefined,
  sessions: [],
  refused: new Map(),
  enteredMs: nowMs,
  committedMs: undefined,
  participation: new Map(),
  viewChangesMs: [],
  lastBlock: undefined,
  blockTimesMs: [],
  emptyBlocks: [],
  rates: [],
  paymentRates: [],
  rateSecond: Math.floor(nowMs / 1000),
  queue: [],
  events: [],
  transactions: [],
  eventCount: 0,
})

/** Input of the reducer. */
export type WatchInput =
  | { readonly kind: 'tick'; readonly atMs: number }
  | { readonly kind: 'status'; readonly atMs: number; readonly value: NodeStatus }
  | { readonly kind: 'consensus'; readonly atMs: number; readonly value: ConsensusStatus }
  | { readonly kind: 'peers'; readonly atMs: number; readonly value: readonly PeerRecord[] }
  | { readonly kind: 'time'; readonly atMs: number; readonly value: ReadonlyMap<string, number> }
  | { readonly kind: 'evidence'; readonly atMs: number; readonly value: number }
  | { readonly kind: 'calls'; readonly atMs: number; readonly value: number }
  | { readonly kind: 'proposal'; readonly atMs: number; readonly value: NextProposal | null }
  | { readonly kind: 'pacemaker'; readonly atMs: number; readonly value: PacemakerRecord }
  | { readonly kind: 'qc'; readonly atMs: number; readonly value: QcSummary }
  | { readonly kind: 'rbc'; readonly atMs: number; readonly value: RbcStatus }
  | { readonly kind: 'sessions'; readonly atMs: number; readonly value: readonly RbcSessionRecord[] }
  | { readonly kind: 'block'; readonly atMs: number; readonly value: BlockSeen }
  | { readonly kind: 'event'; readonly atMs: number; readonly value: WatchEvent }
  | { readonly kind: 'refused'; readonly atMs: number; readonly route: Poll; readonly why: string }
  | { readonly kind: 'lost'; readonly atMs: number; readonly why: string; readonly retryMs: number }
