/** Owns the read interface of a committed state: queries, and blocks for read indexes. */
import type { CodecContext } from '../codec/index.js'
import type { RouteFacts, RouteState } from '../lanes/index.js'
import type {
  AccountId,
  BlockHeader,
  BlockOutcome,
  CertifiedHeader,
  CommittedBlock,
  DataEvent,
  EntryResult,
  Instruction,
  ParameterDef,
  QueryDef,
  RecordedEvent,
  SignedTransaction,
  TransactionPayload,
} from '../model/index.js'
import type { CandidateRow, IndexChanges, RowKey, StateProof, StateReader, TableDef } from '../state/index.js'
import type { AliasLabels, ExecContext, OpenGate, Policies, SpaceGrants } from './contract.js'
import type { ValidatorElection } from './election.js'
import type { Permission } from './permission.js'

/** Record with its proof under the state root of a height. */
export interface ProvenRecord {
  readonly height: number
  readonly tableId: number
  /** Canonical bytes of key and record; undefined value: the record is absent. */
  readonly key: Uint8Array
  readonly value: Uint8Array | undefined
  readonly proof: StateProof
}

/** Inputs of a query: the committed state of one height, its read indexes, its blocks. */
export interface QueryContext {
  readonly reader: StateReader
  readonly height: number
  /** Records of a table in the byte order of their keys, after the given key. */
  rows<K, V>(
    table: TableDef<K, V>,
    range: { readonly after?: K | undefined; readonly limit: number; readonly maxBytes?: number },
  ): Promise<{ key: K; value: V; bytes: number }[]>
  indexGet(key: Uint8Array): Buffer | undefined
  indexRange(range: {
    readonly gte: Uint8Array
    readonly lt?: Uint8Array
    readonly reverse?: boolean
    readonly limit: number
  }): AsyncIterable<readonly [Buffer, Buffer]>
  block(height: number): Promise<CommittedBlock | undefined>
  /** Height of a block by its hash; undefined if it is not in the chain. */
  heightOf(hash: Uint8Array): number | undefined
  /** Header of a height; its certificate is absent at genesis. */
  header(height: number): Promise<BlockHeader | undefined>
  certified(height: number): Promise<CertifiedHeader | undefined>
  outcome(height: number): Promise<BlockOutcome | undefined>
  /** Results of a block without its events. */
  results(height: number): Promise<readonly EntryResult[] | undefined>
  /** Lowest height from which every block is stored; genesis and all headers always are. */
  readonly firstHeight: number
  /**
   * Record of the state, or its absence, with its proof; the table is given by name, the key by its JSON form or text.
   */
  prove(table: string, key: string): ProvenRecord | undefined
  readonly codec: CodecContext
  /** Parameters and permissions of the active ABI. */
  readonly parameters: readonly ParameterDef<unknown>[]
  readonly permissions: ReadonlyMap<string, Permission>
  /** Restrictions of the next block. */
  readonly gate: OpenGate | undefined
  /** Routes in the next block; undefined: single-lane mode. */
  readonly routes: RouteState | undefined
  /**
   * Run work as in the next block, at the time of the last one, and discard its effects. `grants`: replaces the policy.
   */
  tryOut<T>(authority: AccountId, work: (ctx: ExecContext) => T, grants?: SpaceGrants): Promise<Trial<T>>
  /** Election of validators; undefined if they are not elected. */
  readonly election: ValidatorElection | undefined
  /** Resolution of labels of accounts; undefined: only the table of aliases resolves them. */
  readonly aliasLabels: Pick<AliasLabels, 'accountOf'> | undefined
  /** Deny list; undefined if there is none. */
  readonly denyList: Policies['denyList']
  /** Name of an error number of the active ABI. */
  errorName(code: number): string | undefined
  /** Transaction with the effect of an instruction that was rejected with an error that `repeats`. */
  supersededBy(rejected: Instruction): Uint8Array | undefined
  /** Routing facts of a payload under the active ABI. */
  routeFactsOf(payload: Pick<TransactionPayload, 'authority' | 'dataspace' | 'executable'>): RouteFacts
}

/** Result of a trial, and its events. */
export interface Trial<T> {
  readonly result: T
  /** Reason why a transaction with this action would be rejected afterwards, for example by a trigger. */
  readonly refused: string | undefined
  readonly events: readonly DataEvent[]
}

/** Implementation of a query; undefined: not found. */
export type QueryRun<Q, R> = (ctx: QueryContext, input: Q) => Promise<R | undefined>

/** Query kind with its implementation. */
export type Answerable<Q, R> = QueryDef<Q, R> & { run(ctx: QueryContext, input: Q): Promise<R | undefined> }

/** State before a block, as needed by indexes. */
export interface StateBefore {
  hasRow(row: RowKey): boolean
  /** Canonical bytes of a row; undefined if it did not exist. */
  rowBytes(row: RowKey): Uint8Array | undefined
  indexGet(key: Uint8Array): Buffer | undefined
}

/** Block as the input of read indexes; the rows of a snapshot are passed as one block without entries and events. */
export interface IndexedBlock {
  readonly height: number
  /** Header time in ms since the Unix epoch; 0 for rows of a snapshot, which come from many blocks. */
  readonly timeMs: number
  /** Payload size in bytes, from the header. */
  readonly payloadBytes: number
  readonly entries: readonly { readonly id: Uint8Array; readonly signed: SignedTransaction }[]
  readonly results: readonly EntryResult[]
  readonly events: readonly RecordedEvent[]
  /** Rows written by the block. */
  readonly rows: readonly CandidateRow[]
  readonly before: StateBefore
}

/**
 * Changes of a block to the read indexes of a feature, which are never under the state root. Removals are written
 * before additions.
 */
export type IndexRun = (block: IndexedBlock) => Required<IndexChanges>

/** Data of a block that is available when it is pruned. */
export type HistoryBlock = Pick<IndexedBlock, 'height' | 'timeMs' | 'entries' | 'results' | 'events'>

/** Keys of the index entries of a feature that belong to one block only; they are removed when it is pruned. */
export type HistoryKeys = (block: HistoryBlock) => readonly Uint8Array[]
