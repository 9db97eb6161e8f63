/** Owns the state of consensus at one height: durable, volatile and carried-over parts. */
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

/** Block hash as a latin1 string, for use as a map key. */
export type HashKey = string
export const hashKey: (hash: Uint8Array) => HashKey = keyString
export const hashOfKey = (key: HashKey): Buffer => Buffer.from(key, 'latin1')

/** A payload that is being rebuilt from the hashes of its records. */
export interface CompactPayload {
  /** Opaque form from the proposal, interpreted by the node. */
  readonly bytes: Uint8Array
  /** View whose proposer sent it; missing records are requested from this proposer first. */
  readonly view: number
  status: 'fresh' | 'rebuilding' | 'asking'
  /** Positions of the missing records. */
  missing: readonly number[]
  /** Received records, by position. */
  readonly records: Map<number, Uint8Array>
  readonly asked: Set<ValidatorKey>
}

/** Known block of this height. */
export interface Candidate {
  readonly hash: HashKey
  readonly header: BlockHeader
  body: Uint8Array | undefined
  /** Rebuild of its payload, until it is present or the rebuild failed. */
  compact: CompactPayload | undefined
  /** Staging status of a large payload; a vote requires that it is on disk. */
  staging: 'none' | 'writing' | 'synced'
  /** `executed`: executed with the same roots; `refused`: executed, but rejected or with different roots. */
  status: 'waiting' | 'executing' | 'executed' | 'refused'
  /** True if it was executed as a certified block, so that the result is final. */
  executedAsCertified: boolean
  /** True if the header time was close enough to our clock at execution. */
  timely: boolean
  refusal: { readonly reason: 'validationReject' | 'stateMismatch'; readonly detail: string } | undefined
}

/** Built block to be proposed, and the form in which its payload is sent. */
export interface BuiltBlock {
  readonly view: number
  readonly hash: HashKey
  readonly compact: Uint8Array | undefined
  readonly digests: readonly Uint8Array[]
}

/** New candidate with its header and, if known, its payload. */
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
 * True if our clock forbids a vote for a block in a view. A re-proposal is exempt: correct members accepted its time, and no other
 * block can be proposed.
 */
export const isUntimely = ({ timely, header }: Candidate, view: number): boolean =>
  !timely && header.originView === view

/** Subject of a vote set or a certificate. */
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
 * Requested work with its continuation: `next` names the rule for the response, the other fields are its inputs. Jobs are data, so
 * that a state can be copied and compared.
 */
export type Job =
  | {
      readonly next: 'messageVerified'
      readonly from: ValidatorKey
      /** Number of signature checks. */
      readonly checks: number
      readonly message: ConsensusMessage
      readonly certificates: readonly string[]
    }
  | {
      readonly next: 'syncVerified'
      readonly from: ValidatorKey
      readonly checks: number
      readonly held: SyncedBlock
      /** True if verified in advance, with the committee of the next height. */
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
  /** No continuation: the record only speeds up a restart. */
  | { readonly next: 'nothing' }
export type JobOf<T extends Job['next']> = Extract<Job, { readonly next: T }>

/** State that the rules of docs/design/consensus.md section 4 read and write. */
export interface ConsensusState {
  /** Our key at this height; a node outside the committee neither votes nor proposes. */
  self: ValidatorKey
  context: HeightContext
  /** Set if this node may have lost votes: it follows and does not sign (docs/design/consensus.md 8). */
  abstention: Abstention | undefined
  /** Position in the committee of this height, or undefined. */
  index: number | undefined
  /** Monotonic ms. */
  nowMs: number
  enteredHeightAtMs: number
  viewEnteredAtMs: number
  /** Time at which this view got work, undefined while idle; idle time does not count as height time. */
  viewStartedAtMs: number | undefined
  /** End of the previous phase, from which the next is measured. */
  phaseMarkAtMs: number
  /** First phase of this view that missed its deadline, if phases have deadlines. */
  latePhase: TimedPhase | undefined
  /** Time in this view spent on the spacing of blocks, excluded from the height time. */
  waitedMs: number
  /** Time of the last proposal (of the parent, until one of this height arrives), from which blocks are spaced. */
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
  /** Current proposal of this view. */
  current: { readonly view: number; readonly hash: HashKey } | undefined
  readonly votes: Map<string, VoteSet>
  /** First vote of each member per (phase, view): a different second one is evidence. */
  readonly firstVotes: Map<string, Vote>
  /** First signed proposal of each view: a different second one is evidence. */
  readonly firstProposals: Map<number, SignedProposal>
  /** Highest timeout of each member. */
  readonly timeouts: Map<number, Timeout>
  readonly timeoutViewsAggregating: Set<number>
  readonly pendingSignatures: Set<string>
  building: number | undefined
  /** Block built for a view, until its payload is on disk and it is proposed. */
  built: BuiltBlock | undefined
  committing: boolean
  /**
   * True if a verified proposal, a durable record of this node or f + 1 members show activity at this height: the view
   * timer must run.
   */
  active: boolean
  /** Members that sent a vote or a timeout of this height; a vote is not verified before it is aggregated. */
  readonly activeMembers: Set<number>
  viewTimerArmed: boolean
  proposeTimerArmed: boolean
  proposerUnreachable: boolean
  fetching: { readonly hash: HashKey; attempt: number; pulls: number } | undefined

  // Carried over heights.
  work: { pending: boolean; full: boolean }
  readonly rbc: RbcStore
  /** Time of the pending payload or chunk request to each peer; one in flight per peer. */
  readonly requests: Map<ValidatorKey, number>
  /** Pending jobs by number. */
  readonly jobs: Map<number, Job>
  nextJob: number
  readonly buffered: { readonly from: ValidatorKey; readonly message: ConsensusMessage }[]
  readonly verifiedCertificates: Set<string>
  /** Certificates under verification by what they certify, with the hash of the copy that is being checked. */
  readonly certificatesUnderWay: Map<string, string>
  /** Other copies, one per sender, checked if that check fails, so that a forged copy cannot displace a valid one. */
  readonly certificatesWaiting: Map<string, Map<ValidatorKey, CertifiedHeader>>
  readonly lastStatusAtMs: Map<ValidatorKey, number>
  readonly sync: SyncState
  pacemaker: Pacemaker
  blockCosts: BlockCosts
  halted: boolean
}

/** State of a node that enters `context` without durable records of it. */
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

/** Part of the state that is reset at every height. */
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
    activeMembers: new Set<number>(),
    viewStartedAtMs: undefined,
    waitedMs: 0,
    latePhase: undefined,
    viewTimerArmed: false,
    proposeTimerArmed: false,
    proposerUnreachable: false,
    fetching: undefined,
  }
}
