/** Owns the node services interface of route handlers: the gateway sees the node through this interface only. */
import type { Registry } from 'prom-client'
import type { CodecContext } from '../codec/index.js'
import type { BacklogOf, PayloadLimits, RbcCounters } from '../consensus/index.js'
import type { DataspaceTotals, LaneCommitment, LaneSettlementCommitment, RelayIdentity } from '../lanes/index.js'
import type {
  AccountId,
  AccountKey,
  BlockOutcome,
  CommittedBlock,
  Evidence,
  LedgerError,
  QueryDef,
  QuorumCertificate,
  Receipt,
  TransactionPayload,
  ValidatorKey,
} from '../model/index.js'
import type { HeldVotes } from './schema/consensus.js'
import type { DryRun } from './schema/dry-run.js'
import type { MissingAbi } from './schema/node.js'
import type { QueuePlaceRecord } from './schema/pipeline.js'

/** What the node is; only the ABI changes while it runs, at the height of an upgrade. */
export interface NodeInfo {
  readonly version: string
  readonly chain: string
  readonly chainHash: Uint8Array
  readonly genesisHash: Uint8Array
  readonly addressPrefix: string
  readonly consensusMode: string
  readonly abi: number
  readonly abiHash: Uint8Array
  /** Features of the active ABI with their hashes, and the numbers of the ABIs that this release carries. */
  readonly abiFeatures: readonly { readonly name: string; readonly version: number; readonly hash: Uint8Array }[]
  readonly supportedAbis: readonly number[]
  /** Multihash text of the validator key and of the network key. */
  readonly validatorKey: string
  readonly networkKey: string
  readonly startedAtMs: number
  readonly features: readonly string[]
  /** Registries and address prefix for records that carry instructions or accounts. */
  readonly codec: CodecContext
}

/** Outcome of a submission. */
export type Submitted =
  | { readonly ok: true; readonly receipt: Receipt; readonly lane: number; readonly dataspace: bigint }
  | { readonly ok: false; readonly error: LedgerError }

/** Why the chain does not move, in words (docs/design/gateway.md 12). */
export interface Stall {
  readonly reason: string
  /** Start of the stall, in ms since the Unix epoch. */
  readonly sinceMs: number
  readonly missing: readonly string[]
  readonly text: string
}

/** A peer as this node sees it. */
export interface PeerView {
  /** Multihash text of its BLS key. */
  readonly id: string
  readonly address: string
  readonly role: 'validator' | 'observer'
  readonly connected: boolean
  readonly height: number | undefined
  readonly lastError: string | undefined
}

/** A block whose roots this node did not reproduce. */
export interface Divergence {
  readonly height: number
  readonly blockHash: Uint8Array
  /** A commit certificate stands behind the block: the fault is this node's. */
  readonly certified: boolean
  readonly detail: string
  /** Path of the report on this node. */
  readonly report: string | undefined
}

/** Consensus as of now; heights are those of the last commit unless they say otherwise. */
export interface ConsensusView {
  readonly mode: string
  readonly height: number
  /** Height being decided, its view and proposer (multihash text). */
  readonly decidingHeight: number
  readonly view: number
  readonly proposer: string
  readonly role: 'member' | 'standby' | 'observer'
  readonly committee: readonly string[]
  readonly quorum: number
  readonly faultBudget: number
  readonly blockHash: Uint8Array
  readonly stateRoot: Uint8Array
  readonly commitCertificate: QuorumCertificate | undefined
  readonly highestPrepareView: number | undefined
  readonly viewChanges: number
  readonly viewChangeReasons: ReadonlyMap<string, number>
  /** Last value and moving average per phase, in ms. */
  readonly phases: ReadonlyMap<string, { readonly lastMs: number; readonly emaMs: number }>
  readonly queueSize: number
  readonly votes?: HeldVotes | undefined
  readonly stall: Stall | undefined
  /** Set when the node halted on a divergence and answers reads only. */
  readonly halted: string | undefined
  /** The last block that this node did not reproduce. */
  readonly divergence: Divergence | undefined
  /** Absent while lanes are off. */
  readonly lanes?: LanesStatus | undefined
}

/** A lane as the status sees it. */
export interface LaneState {
  readonly lane: number
  readonly alias: string
  readonly dataspace: bigint
  /** Static execution units of one block; 0: no limit of its own. */
  readonly teuCapacity: number
  readonly faultTolerance: number
  /** Metered units of the last block. */
  readonly committedTeu: number
  /** Transactions in the queue, and their static units. */
  readonly waiting: number
  readonly waitingTeu: number
  /** Blocks since its last service, while something waits. */
  readonly ageBlocks: number
  /** Since the node started, by its own proposals. */
  readonly deferrals: { readonly capExceeded: number; readonly blockFull: number }
  /** Honest proposals after which the last that waits is in a block at the latest. */
  readonly starvationBound: number
}

/** Lanes as of the last commit; a node has them while lanes are on. */
export interface LanesStatus {
  readonly height: number
  readonly blockHash: Uint8Array
  /** Of the last block, ascending by lane and by dataspace. */
  readonly commitments: readonly LaneCommitment[]
  readonly dataspaces: readonly DataspaceTotals[]
  readonly settlements: readonly LaneSettlementCommitment[]
  readonly envelopes: readonly RelayIdentity[]
  /** Active lanes, ascending. */
  readonly lanes: readonly LaneState[]
  /** Lanes whose load and settlements are for operators. */
  readonly restricted: ReadonlySet<number>
  /** Since the node started, by lane. */
  readonly totals: ReadonlyMap<
    number,
    { readonly transactions: number; readonly teu: number; readonly bytes: number } & Pick<LaneState, 'deferrals'>
  >
}

/** One session of reliable broadcast. */
export interface RbcSessionView {
  readonly blockHash: Uint8Array
  readonly payloadHash: Uint8Array
  readonly height: number
  readonly view: number
  readonly payloadBytes: number
  readonly totalChunks: number
  readonly receivedChunks: number
  /** Members that said so. */
  readonly readyCount: number
  readonly deliverCount: number
  /** This node holds the payload and 2f + 1 members are ready. */
  readonly delivered: boolean
  readonly recovered: boolean
  readonly invalid: boolean
  /** Its height is committed; it is history. */
  readonly ended: boolean
  readonly ageMs: number
  readonly lanes: readonly BacklogOf<number>[]
  readonly dataspaces: readonly BacklogOf<bigint>[]
}

/** Payloads on their way: reliable broadcast and what goes with it. */
export interface RbcView {
  readonly dataAvailability: boolean
  readonly limits: PayloadLimits
  readonly counters: Readonly<RbcCounters>
  /** 0 normal, 1 soft limit passed, 2 hard limit passed. */
  readonly pressure: number
  readonly storeBytes: number
  readonly stashMessages: number
  readonly activeSessions: number
  /** Active sessions that miss chunks, and how many chunks they miss together. */
  readonly pendingSessions: number
  readonly missingChunks: number
  /** Of the active sessions. */
  readonly lanes: readonly BacklogOf<number>[]
  readonly dataspaces: readonly BacklogOf<bigint>[]
  /** Newest first. */
  readonly sessions: readonly RbcSessionView[]
}

/** The height that is being decided, in the detail of the consensus routes; times in ms. */
export interface ConsensusDetail {
  readonly height: number
  readonly view: number
  readonly epoch: number
  readonly epochSeed: Uint8Array
  readonly committee: readonly ValidatorKey[]
  readonly proposer: ValidatorKey
  readonly quorum: number
  readonly collectorsK: number
  readonly redundantSendR: number
  readonly collectors: readonly ValidatorKey[]
  /** Highest prepare certificate, and the block that this node commit-voted for. */
  readonly highestPrepare: { readonly view: number; readonly blockHash: Uint8Array } | undefined
  readonly locked: { readonly view: number; readonly blockHash: Uint8Array } | undefined
  readonly timerArmed: boolean
  readonly viewElapsedMs: number
  readonly viewTimeoutMs: number
  readonly heightTimeEmaMs: number
  readonly backoffExponent: number
  readonly badSignatures: ReadonlyMap<ValidatorKey, number>
  /** Ranges of blocks that did not hold, by the peer that served them. */
  readonly badRanges: ReadonlyMap<ValidatorKey, number>
}

/** Counters of `GET /status`. */
export interface StatusView {
  readonly blocks: number
  readonly txsApproved: number
  readonly txsRejected: number
  /** Runs of time and pre-commit triggers since the start. */
  readonly triggerRuns: { readonly approved: number; readonly rejected: number }
  readonly queueSize: number
  readonly peers: number
  readonly uptimeMs: number
  readonly synced: boolean
  readonly inQuorum: boolean
  /** Absent while lanes are off. */
  readonly lanes?: LanesStatus | undefined
  /** An upgrade to come that this node could not run. */
  readonly missingAbi?: MissingAbi | undefined
}

/** Where a transaction stands that is not committed. */
export type PendingState = { readonly kind: 'queued' } | { readonly kind: 'expired' } | { readonly kind: 'unknown' }

/** A committed block with the results of its entries and the events that it caused. */
export interface StoredBlock {
  readonly block: CommittedBlock
  readonly outcome: BlockOutcome
}

/** The clock of a peer as this node measured it last. */
export interface TimeSample {
  /** Multihash text of the peer's key. */
  readonly peer: string
  /** How far its clock is ahead of ours, in ms. */
  readonly offsetMs: number
  readonly rttMs: number
  /** Measurements of this peer. */
  readonly count: number
}

/** This node's clock beside those of its peers. */
export interface TimeView {
  /** Own clock, in ms since the Unix epoch. */
  readonly clockMs: number
  /** Median of the peers' offsets, in ms, and how far they lie apart (median distance from it). */
  readonly offsetMs: number
  readonly confidenceMs: number
  readonly connectedPeers: number
  /** Fresh samples, and all that go into the median. */
  readonly samples: readonly TimeSample[]
  readonly samplesUsed: number
  readonly health: { readonly minSamplesOk: boolean; readonly offsetOk: boolean; readonly confidenceOk: boolean }
  /** Round trips since the start, by upper bound in ms; the last bucket has no bound. */
  readonly rttBuckets: readonly { readonly leMs: number | undefined; readonly count: number }[]
  readonly rttSumMs: number
  readonly rttCount: number
}

/** A transaction that entered the queue, or left it without a block. */
export interface PendingChange {
  readonly hash: Uint8Array
  readonly status: 'queued' | 'expired'
  readonly authority: AccountId
  readonly lane: number
  readonly dataspace: bigint
  /** ms since the Unix epoch. */
  readonly atMs: number
}

/** The chain as streams read it. */
export interface BlockHistory {
  /**
   * Blocks from a height up, in order, at most `count` and fewer when they are large; none above the tip. They begin
   * higher where this node does not hold the bodies: before the snapshot that it started from.
   */
  read(from: number, count: number): Promise<readonly StoredBlock[]>
  /** Name of an error number of the active ABI. */
  errorName(code: number): string | undefined
  /** Calls back for transactions outside blocks; returns the way to stop. */
  onPending(listener: (change: PendingChange) => void): () => void
}

/** What became of offered evidence. */
export type EvidenceAnswer =
  | { readonly kind: 'accepted'; readonly fault: string }
  /** A block holds it, or it waits already. */
  | { readonly kind: 'known' }
  /** Too much is under verification; try again. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'refused'; readonly detail: string }

/** The node as handlers see it. */
export interface NodeServices {
  readonly info: NodeInfo
  readonly metrics: Registry
  status(): StatusView
  consensus(): ConsensusView
  consensusDetail(): ConsensusDetail
  rbc(): RbcView
  peers(): readonly PeerView[]
  /** Admits a signed transaction; resolves when it is in the queue and logged on disk. */
  submit(signedBytes: Uint8Array): Promise<Submitted>
  pending(transactionId: Uint8Array): PendingState
  /** What stands before a queued transaction in its lane; undefined when it is not queued. */
  queuePlace(transactionId: Uint8Array): QueuePlaceRecord | undefined
  /** What a payload would do at the head; nothing is kept. The error: what admission would refuse it with. */
  dryRun(payload: TransactionPayload): Promise<DryRun | LedgerError>
  /** Judges evidence and verifies its signatures; a proven fault is told to all peers and waits for a block. */
  submitEvidence(record: Evidence): Promise<EvidenceAnswer>
  /** Every query of the active ABI by its name. */
  readonly queries: ReadonlyMap<string, QueryDef<unknown, unknown>>
  /** Answers a query from committed state; undefined: not found. */
  query<Q, R>(def: QueryDef<Q, R>, input: Q): Promise<R | undefined>
  /** Calls back after each commit with its height; returns the way to stop. */
  onCommit(listener: (height: number) => void): () => void
  readonly history: BlockHistory
  time(): TimeView
  /** Signs transactions of the ISO bridge, when the node has a bridge signer. */
  readonly bridgeSigner: BridgeSigner | undefined
}

/** The account under which a node's bridge submits. */
export interface BridgeSigner {
  readonly account: AccountId
  readonly key: AccountKey
  /** Signature over a transaction id. */
  sign(id: Uint8Array): Uint8Array
}
