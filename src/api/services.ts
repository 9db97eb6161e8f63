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
  /** Difference, for the operator: it may name a row of the state. */
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

/** True if a feature knows the senders of bodies that only known senders may send. */
export interface LargeBodyReader {
  isKnown(account: AccountId | undefined): Promise<boolean>
}

/** Reads of the chain. */
export interface ChainReads {
  readonly info: NodeInfo
  /** Last committed height. */
  height(): number
  /** Header time of the last block, in ms since the Unix epoch: a transaction that expired before it is in no later block. */
  chainTimeMs(): number
  /** Makes the chain pass a time that the clock has passed: an idle chain makes a block for no other reason. */
  awaitChainTime(timeMs: number): void
  /** Every query of the active ABI by its name. */
  queries(): ReadonlyMap<string, QueryDef<unknown, unknown>>
  /** Answers a query from committed state; undefined: not found. */
  query<Q, R>(def: QueryDef<Q, R>, input: Q, asker?: LedgerAsker): Promise<R | undefined>
  /** Declared execution units of instructions as part of a transaction. */
  costOf(instructions: readonly Instruction[]): number
  /** Longest lifetime of a transaction, in ms. */
  maxTtlMs(): number
  /** Execution units of one transaction at most. */
  maxTeuPerTx(): number
  /** Calls back after each commit with its height; returns the function that ends it. */
  onCommit(listener: (height: number) => void): () => void
  /** Calls back for each proof that this node verified outside of blocks; returns the function that ends it. */
  onProofChecked(listener: (proof: CheckedProof) => void): () => void
  readonly history: BlockHistory
}

/** Submission of transactions and evidence. */
export interface Submission {
  /** Admits a signed transaction; resolves after it is in the queue and logged on disk. */
  submit(signedBytes: Uint8Array): Promise<Submitted>
  /** Queued transactions of one account at most. */
  accountCapacity(): number
  pending(transactionId: Uint8Array): PendingState
  /** Position of a queued transaction in its lane; undefined: not queued. */
  queuePlace(transactionId: Uint8Array): QueuePlaceRecord | undefined
  /** Effects of a payload at the head; nothing is kept. The error: the reason for which admission would refuse it. */
  dryRun(payload: TransactionPayload): Promise<DryRun | LedgerError>
  /** Checks evidence and verifies its signatures; a proven fault is sent to all peers and waits for a block. */
  submitEvidence(record: Evidence): Promise<EvidenceAnswer>
}

/** Status of consensus, of the node and of its peers: records of the routes of the same names. */
export interface ConsensusReads {
  /** `operator`: with the data of restricted lanes. */
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
  /** Reason of a halt; undefined: the node runs. */
  halted(): Halt | undefined
  /** Calls back when the node halts; returns the function that ends it. */
  onHalt(listener: () => void): () => void
}

/** Keys of the node. */
export interface Signers {
  /** Signs the duties of a validator, as the account of the network key. */
  readonly validatorSigner: ValidatorSigner
}

/** Maintenance of the node. */
export interface Upkeep {
  readonly metrics: Registry
  /** Snapshots that the node keeps, and the one in progress. */
  snapshots(): SnapshotStatus
  /** Begins a snapshot at the current height unless one is in progress. The error: the reason for which it cannot. */
  beginSnapshot(): SnapshotStatus | LedgerError
}

/** The node as handlers see it: a plain record, so that a copy with other members is a node too. */
export interface NodeServices extends ChainReads, Submission, ConsensusReads, Signers, Upkeep {}

/** Origin of a query: the node with its operators (the default), or clients, which together have a share of the ledger thread. */
export type LedgerAsker = 'node' | 'client'

/** The node as the validator that it may be. */
export interface ValidatorSigner extends AccountSigner {
  /** Consensus keys of this node. */
  readonly keys: readonly string[]
  /** Signature of one of its consensus keys that the randomness of an epoch is made of. */
  reveal(key: string, epoch: number): Promise<Uint8Array | undefined>
}
