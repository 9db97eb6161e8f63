/** Owns the node services interface of route handlers, the only access of the gateway to the node. */
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
  /** Registries and address prefix for records with instructions or accounts. */
  readonly codec: CodecContext
}

/** Outcome of a submission. */
export type Submitted =
  | { readonly ok: true; readonly receipt: Receipt; readonly lane: number; readonly dataspace: bigint }
  | { readonly ok: false; readonly error: LedgerError }

/** Status of a transaction that is not committed. */
export type PendingState = { readonly kind: 'queued' } | { readonly kind: 'expired' } | { readonly kind: 'unknown' }

/** Committed block with the results of its entries and its events. */
export interface StoredBlock {
  readonly block: CommittedBlock
  readonly outcome: BlockOutcome
}

/** Transaction that entered the queue, or left it without being in a block. */
export interface PendingChange {
  readonly hash: Uint8Array
  readonly status: 'queued' | 'expired'
  readonly authority: AccountId
  readonly lane: number
  readonly dataspace: bigint
  /** Time of the change, in ms since the Unix epoch. */
  readonly atMs: number
}

/** Chain history for streams. */
export interface BlockHistory {
  /**
   * Blocks in ascending order from a height, at most `count`, and fewer if they are large; none above the tip. The
   * first one is higher if this node does not have the bodies, as below the snapshot that it started from.
   */
  read(from: number, count: number): Promise<readonly StoredBlock[]>
  /**
   * Register a reader that needs the blocks from a height on; within bounds, these blocks are not pruned. `height` is
   * called as blocks advance.
   */
  keepFrom(height: () => number): void
  /** Name of an error number of the active ABI. */
  errorName(code: number): string | undefined
  /** Subscribe to transactions outside blocks; returns the unsubscribe function. */
  onPending(listener: (change: PendingChange) => void): () => void
}

/** Reason of a permanent halt: the node cannot reproduce a block that a quorum certified. */
export interface Halt {
  /** Height of that block. */
  readonly height: number
  /** Difference for the operator, which may name a row of the state. */
  readonly reason: string
}

/** Result of submitted evidence. */
export type EvidenceAnswer =
  | { readonly kind: 'accepted'; readonly fault: string }
  /** A block has it, or it already waits. */
  | { readonly kind: 'known' }
  /** Too many records are being verified; try again. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'refused'; readonly detail: string }

/** Check for known senders, for routes that accept large bodies from known senders only. */
export interface LargeBodyReader {
  isKnown(account: AccountId | undefined): Promise<boolean>
}

/** Reads of the chain. */
export interface ChainReads {
  readonly info: NodeInfo
  /** Last committed height. */
  height(): number
  /**
   * Header time of the last block, in ms since the Unix epoch: a transaction that expired before it cannot be in a
   * later block.
   */
  chainTimeMs(): number
  /**
   * Request that the chain time pass a given time, which the clock has already passed; an otherwise idle chain then
   * creates a block.
   */
  awaitChainTime(timeMs: number): void
  /** Queries of the active ABI by name. */
  queries(): ReadonlyMap<string, QueryDef<unknown, unknown>>
  /** Run a query on the committed state; undefined: not found. */
  query<Q, R>(def: QueryDef<Q, R>, input: Q, asker?: LedgerAsker): Promise<R | undefined>
  /** Declared execution units of instructions as part of a transaction. */
  costOf(instructions: readonly Instruction[]): number
  /** Maximum lifetime of a transaction, in ms. */
  maxTtlMs(): number
  /** Maximum execution units of one transaction. */
  maxTeuPerTx(): number
  /** Subscribe to the height of each commit; returns the unsubscribe function. */
  onCommit(listener: (height: number) => void): () => void
  /** Subscribe to proofs that this node verified outside of blocks; returns the unsubscribe function. */
  onProofChecked(listener: (proof: CheckedProof) => void): () => void
  readonly history: BlockHistory
}

/** Submission of transactions and evidence. */
export interface Submission {
  /** Admit a signed transaction; resolves once it is queued and logged on disk. */
  submit(signedBytes: Uint8Array): Promise<Submitted>
  /** Maximum queued transactions of one account. */
  accountCapacity(): number
  pending(transactionId: Uint8Array): PendingState
  /** Position of a queued transaction in its lane; undefined if not queued. */
  queuePlace(transactionId: Uint8Array): QueuePlaceRecord | undefined
  /** Execute a payload at the head and discard its effects; an error if admission would refuse it. */
  dryRun(payload: TransactionPayload): Promise<DryRun | LedgerError>
  /** Check evidence and verify its signatures; a proven fault is sent to all peers and queued for a block. */
  submitEvidence(record: Evidence): Promise<EvidenceAnswer>
}

/** Status of consensus, of the node and of its peers: records of the routes of the same names. */
export interface ConsensusReads {
  /** `operator`: true to include restricted lanes. */
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
  /** Reason of a halt; undefined while the node runs. */
  halted(): Halt | undefined
  /** Subscribe to the halt of the node; returns the unsubscribe function. */
  onHalt(listener: () => void): () => void
}

/** Keys of the node. */
export interface Signers {
  /** Signer of the duties of a validator, as the account of the network key. */
  readonly validatorSigner: ValidatorSigner
}

/** Maintenance of the node. */
export interface Upkeep {
  readonly metrics: Registry
  /** Snapshots that the node keeps, and the one in progress. */
  snapshots(): SnapshotStatus
  /** Begin a snapshot at the current height unless one is in progress; an error if that is impossible. */
  beginSnapshot(): SnapshotStatus | LedgerError
}

/** Node services for handlers: a plain record, so that a copy with other members is also valid. */
export interface NodeServices extends ChainReads, Submission, ConsensusReads, Signers, Upkeep {}

/**
 * Origin of a query: the node with its operators (the default), or clients, which together have a limited share of the
 * ledger thread.
 */
export type LedgerAsker = 'node' | 'client'

/** Signer for the duties of a node that may be a validator. */
export interface ValidatorSigner extends AccountSigner {
  /** Consensus keys of this node. */
  readonly keys: readonly string[]
  /** Signature by one of its consensus keys that contributes to the randomness of an epoch. */
  reveal(key: string, epoch: number): Promise<Uint8Array | undefined>
}
