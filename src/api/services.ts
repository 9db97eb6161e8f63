/** Owns the node services interface of route handlers: the gateway sees the node through this interface only. */
import type { Registry } from 'prom-client'
import type { CodecContext } from '../codec/index.js'
import type { CheckedProof } from '../crypto/circuits/service.js'
import type {
  AccountId,
  AccountSigner,
  BlockOutcome,
  CommittedBlock,
  Evidence,
  Instruction,
  LedgerError,
  QueryDef,
  Receipt,
  TransactionPayload,
} from '../model/index.js'
import type { ConsensusStatus } from './schema/consensus.js'
import type {
  CollectorPlan,
  ConsensusTelemetryRecord,
  Leader,
  PacemakerRecord,
  PhasesRecord,
  QcSummary,
} from './schema/consensus-detail.js'
import type { DryRun } from './schema/dry-run.js'
import type { NodeStatus, PeerList } from './schema/node.js'
import type { QueuePlaceRecord } from './schema/pipeline.js'
import type { RbcSessionList, RbcStatus } from './schema/rbc.js'
import type { SnapshotStatus } from './schema/snapshots.js'
import type { TimeNow, TimeStatus } from './schema/time.js'

/** Properties of the node; only the ABI changes while it runs, at the height of an upgrade. */
export interface NodeInfo {
  readonly version: string
  readonly chain: string
  readonly chainHash: Uint8Array
  readonly genesisHash: Uint8Array
  readonly addressPrefix: string
  readonly consensusMode: string
  readonly abi: number
  readonly abiHash: Uint8Array
  /** Features of the active ABI with their hashes. */
  readonly abiFeatures: readonly { readonly name: string; readonly version: number; readonly hash: Uint8Array }[]
  /** ABIs that this release carries. */
  readonly supportedAbis: readonly { readonly number: number; readonly hash: Uint8Array }[]
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

/** Status of a transaction that is not committed. */
export type PendingState = { readonly kind: 'queued' } | { readonly kind: 'expired' } | { readonly kind: 'unknown' }

/** A committed block with the results of its entries and the events that it caused. */
export interface StoredBlock {
  readonly block: CommittedBlock
  readonly outcome: BlockOutcome
}

/** Transaction that entered the queue, or left it without a block. */
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
  /** The blocks from a height on are still to be read: within bounds, they are not pruned before. Asked as blocks go on. */
  keepFrom(height: () => number): void
  /** Name of an error number of the active ABI. */
  errorName(code: number): string | undefined
  /** Calls back for transactions outside blocks; returns the way to stop. */
  onPending(listener: (change: PendingChange) => void): () => void
}

/** Reason of a permanent halt: the node cannot reproduce a block that a quorum certified. */
export interface Halt {
  /** Height of that block. */
  readonly height: number
  /** What differs, for the operator: it may name a row of the state. */
  readonly reason: string
}

/** Result of submitted evidence. */
export type EvidenceAnswer =
  | { readonly kind: 'accepted'; readonly fault: string }
  /** A block holds it, or it waits already. */
  | { readonly kind: 'known' }
  /** Too much is under verification; try again. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'refused'; readonly detail: string }

/** Whether a feature knows the senders of bodies that only known senders may send. */
export interface LargeBodyReader {
  isKnown(account: AccountId | undefined): Promise<boolean>
}

/** The node as handlers see it. */
export interface NodeServices {
  readonly info: NodeInfo
  readonly metrics: Registry
  /** Last committed height. */
  height(): number
  /** Records of the routes of the same names. `operator`: with what they have of restricted lanes. */
  status(operator: boolean): NodeStatus
  consensus(operator: boolean): ConsensusStatus
  leader(): Leader
  qc(): QcSummary
  phases(): PhasesRecord
  pacemaker(): PacemakerRecord
  collectors(): CollectorPlan
  consensusTelemetry(): ConsensusTelemetryRecord
  rbc(): RbcStatus
  rbcSessions(): RbcSessionList
  peers(): PeerList
  timeNow(): TimeNow
  timeStatus(): TimeStatus
  /** Snapshots that the node keeps, and the one under way. */
  snapshots(): SnapshotStatus
  /** Begins a snapshot at the height of the node, where none is under way. The error: why it cannot. */
  beginSnapshot(): SnapshotStatus | LedgerError
  /** Admits a signed transaction; resolves when it is in the queue and logged on disk. */
  submit(signedBytes: Uint8Array): Promise<Submitted>
  /** Transactions of one account that its queue takes at most. */
  accountCapacity(): number
  pending(transactionId: Uint8Array): PendingState
  /** Header time of the last block, in ms since the Unix epoch: what expired before it is in no block to come. */
  chainTimeMs(): number
  /** Makes the chain pass a time that the clock has passed: an idle one makes a block for nothing else. */
  awaitChainTime(timeMs: number): void
  /** What stands before a queued transaction in its lane; undefined when it is not queued. */
  queuePlace(transactionId: Uint8Array): QueuePlaceRecord | undefined
  /** What a payload would do at the head; nothing is kept. The error: what admission would refuse it with. */
  dryRun(payload: TransactionPayload): Promise<DryRun | LedgerError>
  /** Declared units of instructions as they stand in a transaction. */
  costOf(instructions: readonly Instruction[]): number
  /** Longest life of a transaction on the chain, in ms. */
  maxTtlMs(): number
  /** Execution units of one transaction at most. */
  maxTeuPerTx(): number
  /** Judges evidence and verifies its signatures; a proven fault is told to all peers and waits for a block. */
  submitEvidence(record: Evidence): Promise<EvidenceAnswer>
  /** Every query of the active ABI by its name. */
  readonly queries: ReadonlyMap<string, QueryDef<unknown, unknown>>
  /** Answers a query from committed state; undefined: not found. */
  query<Q, R>(def: QueryDef<Q, R>, input: Q, asker?: LedgerAsker): Promise<R | undefined>
  /** Calls back after each commit with its height; returns the way to stop. */
  onCommit(listener: (height: number) => void): () => void
  /** Why the node halted; undefined while it did not. */
  halted(): Halt | undefined
  /** Calls back when the node halts; returns the way to stop. */
  onHalt(listener: () => void): () => void
  /** Calls back for each proof that this node verified beside its blocks; returns the way to stop. */
  onProofChecked(listener: (proof: CheckedProof) => void): () => void
  readonly history: BlockHistory
  /** Signs what a validator owes its chain, as the account of the network key. */
  readonly validatorSigner: ValidatorSigner
}

/**
 * For which the ledger works: the node itself and its operators, or clients, which all together have a share of its thread. Absent: the
 * node.
 */
export type LedgerAsker = 'node' | 'client'

/** The node as the validator that it may be. */
export interface ValidatorSigner extends AccountSigner {
  /** Consensus keys of this node. */
  readonly keys: readonly string[]
  /** Signature of one of its consensus keys that the randomness of an epoch is made of. */
  reveal(key: string, epoch: number): Promise<Uint8Array | undefined>
}
