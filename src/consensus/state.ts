/** Owns the state of consensus at one height: what is durable, what is volatile, what is carried over. */
import {
  type BlockHeader,
  type CertifiedHeader,
  keyString,
  type SignedProposal,
  type TimedPhase,
  type TimeoutCertificate,
  type ValidatorKey,
} from '../model/index.js'
import { type Abstention, type AbstentionCause, newAbstention } from './abstention.js'
import { type BlockCosts, NO_BLOCK_COSTS } from './block-cost.js'
import type { HeightContext } from './height.js'
import type { ConsensusMessage, Proposal, Timeout, Vote } from './messages/index.js'
import { newPacemaker, type Pacemaker } from './pacemaker.js'
import { DEFAULT_PAYLOAD_LIMITS, type PayloadLimits } from './payload-limits.js'
import { newRbcStore, type RbcStore } from './rbc/store.js'
import { newSyncState, type SyncedBlock, type SyncState } from './sync-state.js'

/** A block hash as a latin1 string: Map keys never are byte arrays. */
export type HashKey = string
export const hashKey: (hash: Uint8Array) => HashKey = keyString
export const hashOfKey = (key: HashKey): Buffer => Buffer.from(key, 'latin1')

/** A payload that is being rebuilt from the hashes of its records. */
export interface CompactPayload {
  /** As the proposal carries it; what it means is the node's business. */
  readonly bytes: Uint8Array
  /** View whose proposer sent it, the first to be asked. */
  readonly view: number
  status: 'fresh' | 'rebuilding' | 'asking'
  /** Places of the records that the node has not got. */
  missing: readonly number[]
  /** Records that peers sent, by place. */
  readonly records: Map<number, Uint8Array>
  readonly asked: Set<ValidatorKey>
}

/** A block of this height that we have heard of. */
export interface Candidate {
  readonly hash: HashKey
  readonly header: BlockHeader
  body: Uint8Array | undefined
  /** How its payload may be rebuilt, until it is here or that failed. */
  compact: CompactPayload | undefined
  /** Whether a large payload is on disk already, so that a vote may rest on it. */
  staging: 'none' | 'writing' | 'synced'
  /** `executed`: reproduced, its roots equal; `refused`: executed and not reproduced. */
  status: 'waiting' | 'executing' | 'executed' | 'refused'
  /** Whether it was executed as a certified block: then its verdict is the last word. */
  executedAsCertified: boolean
  /** Whether the header's time was close enough to our clock when it was executed. */
  timely: boolean
  refusal: { readonly reason: 'validationReject' | 'stateMismatch'; readonly detail: string } | undefined
}

/** A block of ours that is on its way to be proposed, and how its payload goes. */
export interface BuiltBlock {
  readonly view: number
  readonly hash: HashKey
  readonly compact: Uint8Array | undefined
  readonly digests: readonly Uint8Array[]
}

/** A candidate of which nothing but its header, and perhaps its payload, is known. */
export const newCandidate = (hash: HashKey, header: BlockHeader, body: Uint8Array | undefined): Candidate => ({
  hash,
  header,
  body,
  compact: undefined,
  staging: 'none',
  status: 'waiting',
  executedAsCertified: false,
  timely: true,
  refusal: undefined,
})

/**
 * Whether a block gets no vote of ours in a view, since its time is too late by our clock. A re-proposal rests on a prepare certificate:
 * correct members found its time close enough, and nothing else can be proposed any more.
 */
export const isUntimely = ({ timely, header }: Candidate, view: number): boolean =>
  !timely && header.originView === view

/** What a vote set or a certificate is about. */
export const subjectOf = (phase: Vote['phase'], view: number, hash: HashKey): string => `${phase}:${view}:${hash}`

/** Votes for one (phase, view, block), by position of the signer. */
export interface VoteSet {
  readonly phase: Vote['phase']
  readonly view: number
  readonly hash: HashKey
  readonly signatures: Map<number, Uint8Array>
  aggregating: boolean
  certified: boolean
}

/**
 * Work that was asked for, with its continuation: `next` names the rule that takes the answer, the rest is what that rule needs.
 * Jobs are data, so that a state is a value that can be kept and compared.
 */
export type Job =
  | {
      readonly next: 'messageVerified'
      readonly from: ValidatorKey
      /** Signature checks that it takes. */
      readonly checks: number
      readonly message: ConsensusMessage
      readonly certificates: readonly string[]
    }
  | {
      readonly next: 'syncVerified'
      readonly from: ValidatorKey
      readonly checks: number
      readonly held: SyncedBlock
      /** Judged before its turn, with the committee of the next height. */
      readonly ahead: boolean
      readonly certificates: readonly string[]
    }
  | {
      readonly next: 'proposalSigned'
      readonly view: number
      readonly hash: HashKey
      readonly proposal: Omit<Proposal, 'signature'>
      readonly withPrepare: boolean
    }
  | { readonly next: 'voteSigned'; readonly phase: Vote['phase']; readonly view: number; readonly hash: HashKey }
  | { readonly next: 'timeoutSigned'; readonly timeout: Omit<Timeout, 'signature'> }
  | { readonly next: 'votesAggregated'; readonly set: VoteSet; readonly positions: readonly number[] }
  | { readonly next: 'timeoutsAggregated'; readonly certificate: Omit<TimeoutCertificate, 'aggregate'> }
  | { readonly next: 'proposalPersisted'; readonly proposal: Proposal; readonly vote: Vote | undefined }
  | { readonly next: 'votePersisted'; readonly vote: Vote }
  | { readonly next: 'timeoutPersisted'; readonly timeout: Timeout }
  | { readonly next: 'built'; readonly view: number }
  | { readonly next: 'executed'; readonly hash: HashKey }
  | { readonly next: 'staged'; readonly payloadHash: Uint8Array }
  | { readonly next: 'rebuilt'; readonly hash: HashKey }
  /** Nothing waits for it: the record spares a restart the way back. */
  | { readonly next: 'nothing' }
export type JobOf<T extends Job['next']> = Extract<Job, { readonly next: T }>

/** The rules of consensus.md section 4 read and write exactly this. */
export interface ConsensusState {
  /** Our key at this height; a node that is in no committee neither votes nor proposes. */
  self: ValidatorKey
  context: HeightContext
  /** Set when this node may have forgotten votes: it follows and never signs (docs/design/consensus.md 8). */
  abstention: Abstention | undefined
  /** Position in the committee of this height, or undefined. */
  index: number | undefined
  /** Monotonic ms. */
  nowMs: number
  enteredHeightAtMs: number
  viewEnteredAtMs: number
  /** When this view got something to do, undefined while it waits: idle time is no height time. */
  viewStartedAtMs: number | undefined
  /** End of the phase before: phases are measured from it. */
  phaseMarkAtMs: number
  /** First phase of this view that ended after its time, where phases have times. */
  latePhase: TimedPhase | undefined
  /** Part of this view's time in which a proposer waited for nothing but the spacing of blocks: it is no height time. */
  waitedMs: number
  /** When the last proposal was seen, that of the parent until one of this height is here: blocks are spaced from it. */
  proposalSeenAtMs: number

  // Durable (through the records of record.ts).
  view: number
  lastProposal: { readonly view: number; readonly proposal: Proposal } | undefined
  prepared: { readonly view: number; readonly vote: Vote } | undefined
  locked: { readonly view: number; readonly vote: Vote } | undefined
  timedOut: { readonly view: number; readonly timeout: Timeout } | undefined
  highPrepare: CertifiedHeader | undefined
  entry: TimeoutCertificate | undefined
  decided: CertifiedHeader | undefined

  // Volatile, of this height.
  readonly candidates: Map<HashKey, Candidate>
  /** The proposal that this view works on. */
  current: { readonly view: number; readonly hash: HashKey } | undefined
  readonly votes: Map<string, VoteSet>
  /** First vote of each member per (phase, view): a different second one is evidence. */
  readonly firstVotes: Map<string, Vote>
  /** First proposal of each view as its proposer signed it: a different second one is evidence. */
  readonly firstProposals: Map<number, SignedProposal>
  /** Highest timeout of each member. */
  readonly timeouts: Map<number, Timeout>
  readonly timeoutViewsAggregating: Set<number>
  readonly pendingSignatures: Set<string>
  building: number | undefined
  /** The block that we built for a view, until its payload is on disk and it is proposed. */
  built: BuiltBlock | undefined
  committing: boolean
  /** A verified proposal, an own durable record or f + 1 members say that this height is worked on: the view timer must run. */
  active: boolean
  /** Members that sent a vote or a timeout of this height; a vote is not verified before it is aggregated. */
  readonly heard: Set<number>
  viewTimerArmed: boolean
  proposeTimerArmed: boolean
  proposerUnreachable: boolean
  fetching: { readonly hash: HashKey; attempt: number; pulls: number } | undefined

  // Carried over heights.
  work: { pending: boolean; full: boolean }
  readonly rbc: RbcStore
  /** When each peer was asked for a payload or chunks that it has not answered: one request in flight per peer. */
  readonly requests: Map<ValidatorKey, number>
  /** Work whose answer is awaited, by the number that the answer has. */
  readonly jobs: Map<number, Job>
  nextJob: number
  readonly buffered: { readonly from: ValidatorKey; readonly message: ConsensusMessage }[]
  readonly verifiedCertificates: Set<string>
  /** Certificates under verification by what they certify, with the hash of the copy that is being checked. */
  readonly certificatesUnderWay: Map<string, string>
  /** Other copies, one per sender, for when that check fails: a forged one must never keep the true one out. */
  readonly certificatesWaiting: Map<string, Map<ValidatorKey, CertifiedHeader>>
  readonly lastStatusAtMs: Map<ValidatorKey, number>
  readonly sync: SyncState
  pacemaker: Pacemaker
  blockCosts: BlockCosts
  halted: boolean
}

/** State of a node that enters `context` with nothing durable about it. */
export function newState(
  self: ValidatorKey,
  context: HeightContext,
  nowMs: number,
  abstaining: AbstentionCause | undefined = undefined,
  limits: PayloadLimits = DEFAULT_PAYLOAD_LIMITS,
): ConsensusState {
  return {
    self,
    context,
    abstention: abstaining && newAbstention(abstaining),
    index: abstaining !== undefined ? undefined : context.committee.indexOf.get(self),
    nowMs,
    enteredHeightAtMs: nowMs,
    viewEnteredAtMs: nowMs,
    phaseMarkAtMs: nowMs,
    proposalSeenAtMs: nowMs,
    ...freshHeight(),
    work: { pending: false, full: false },
    rbc: newRbcStore(limits),
    requests: new Map(),
    jobs: new Map(),
    nextJob: 1,
    buffered: [],
    verifiedCertificates: new Set(),
    certificatesUnderWay: new Map(),
    certificatesWaiting: new Map(),
    lastStatusAtMs: new Map(),
    sync: newSyncState(),
    pacemaker: newPacemaker(context.parameters),
    blockCosts: NO_BLOCK_COSTS,
    halted: false,
  }
}

/** The part of the state that starts anew at every height. */
export function freshHeight() {
  return {
    view: 0,
    lastProposal: undefined,
    prepared: undefined,
    locked: undefined,
    timedOut: undefined,
    highPrepare: undefined,
    entry: undefined,
    decided: undefined,
    candidates: new Map<HashKey, Candidate>(),
    current: undefined,
    votes: new Map<string, VoteSet>(),
    firstVotes: new Map<string, Vote>(),
    firstProposals: new Map<number, SignedProposal>(),
    timeouts: new Map<number, Timeout>(),
    timeoutViewsAggregating: new Set<number>(),
    pendingSignatures: new Set<string>(),
    building: undefined,
    built: undefined,
    committing: false,
    active: false,
    heard: new Set<number>(),
    viewStartedAtMs: undefined,
    waitedMs: 0,
    latePhase: undefined,
    viewTimerArmed: false,
    proposeTimerArmed: false,
    proposerUnreachable: false,
    fetching: undefined,
  }
}
