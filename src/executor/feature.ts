/**
 * Owns a feature of the ledger as one value: everything that it adds, and its declaration from a schema and an
 * implementation (docs/design/structure.md 2). It is pure, and the same on every node.
 */
import type { Schema } from '../codec/index.js'
import type {
  AccountId,
  DataEvent,
  Dated,
  EntryOutcome,
  ErrorDef,
  EventDef,
  Instruction,
  InstructionDef,
  InstructionDefs,
  LedgerSchema,
  ParameterDef,
  QueryDef,
  QueryDefs,
} from '../model/index.js'
import type { Overlay, StateWriter, TableDef } from '../state/index.js'
import type { BlockEnv, ExecContext, ExecutableInstruction, Execution, Policies, Rejection } from './contract.js'
import type { Payer } from './due-runs/tables.js'
import type { Permission } from './permission.js'
import type { Answerable, HistoryKeys, IndexRun, QueryRun } from './reads.js'
import type { Rule } from './rules.js'

/** Section of the genesis manifest: a record, and the instructions that genesis runs for it before all others. */
export interface GenesisSection<T> {
  /** Field of the manifest. */
  readonly section: string
  readonly schema: Schema<T>
  /** True if it runs after the instructions of the manifest instead of before. */
  readonly runsLast?: true
  /** Instructions of a value, in dependency order. */
  instructionsOf(value: T): readonly Instruction[]
}

/** Kind of runs that a feature schedules for a chosen time. */
export interface Scheduled<K> extends Dated {
  /** Unique in the ABI; starts with the name of the feature. */
  readonly kind: string
  readonly key: Schema<K>
  /** Payer: runs of the chain are executed first, runs of owners are charged like their transactions. */
  readonly paidBy: Payer
  /** Units of a run beside its rows and events, and the maximum including them. */
  readonly teu: number
  readonly maxTeu: number
  run(ctx: ExecContext, key: K): Rejection | undefined
}

/** Work of a feature at the end of each block, as its system account. */
export interface EndOfBlock extends Dated {
  /** Maximum units, including rows and events. All features together: a quarter of a block. */
  readonly maxTeu: number
  /**
   * Records of consensus that no trigger may revert: written before `run`, independent of its result, within separate
   * limits. Returns events that are emitted with those of `run`.
   */
  settle?(state: StateWriter, env: BlockEnv): readonly DataEvent[]
  run?(ctx: ExecContext): Rejection | undefined
}

/** A feature of the ledger: everything that it adds, in one place. */
export interface Feature extends Dated {
  readonly name: string
  /** Feature of the ABI that it is a part of; absent: a separate feature. */
  readonly abi?: string | undefined
  readonly version: number
  readonly tables: readonly TableDef<unknown, unknown>[]
  readonly instructions: readonly ExecutableInstruction<unknown>[]
  readonly queries: readonly Answerable<unknown, unknown>[]
  readonly events: readonly EventDef<unknown>[]
  readonly permissions: readonly Permission[]
  readonly parameters: readonly ParameterDef<unknown>[]
  /** Error codes; the numbers of codes that instructions return are hashed. */
  readonly errors: Readonly<Record<string, ErrorDef>>
  readonly scheduled: readonly FeatureRun[]
  readonly endOfBlock: readonly FeatureHook[]
  readonly policies: Policies
  /** Other rules that nodes must agree on; their texts are hashed. */
  readonly rules: readonly Rule[]
  readonly genesis: readonly GenesisSection<unknown>[]
  readonly indexes: readonly IndexRun[]
  readonly history: readonly HistoryKeys[]
  readonly selfChecks: readonly SelfCheck[]
}

/**
 * Known computation whose result is part of the release: a node runs it before it executes blocks of an ABI. A returned
 * string describes a different result, with which this machine would diverge from others.
 */
export type SelfCheck = (run: TrialRun) => string | undefined

/** Run one instruction on a separate state, as in a block; returns its result and events. */
export type TrialRun = (
  state: Overlay,
  env: BlockEnv,
  by: { readonly authority: AccountId; readonly id: Uint8Array },
  instruction: Instruction,
) => { readonly outcome: EntryOutcome; readonly events: readonly DataEvent[] }

/** Kind of runs with the name of its feature. */
export interface FeatureRun {
  readonly feature: string
  readonly def: Scheduled<unknown>
}

/** End-of-block work of a feature, with the name of the feature. */
export interface FeatureHook extends EndOfBlock {
  readonly feature: string
}

/** Executions of instructions, by kind. */
export type Executions<I extends InstructionDefs> = {
  readonly [Kind in keyof I]: I[Kind] extends InstructionDef<infer T> ? Execution<T> : never
}

/** Implementation of the declarations of a schema: exactly the declarations that it names. */
export interface LedgerParts<I extends InstructionDefs, Q extends QueryDefs, G> {
  readonly tables: readonly TableDef<unknown, unknown>[]
  readonly execute: Executions<I>
  readonly queries: { readonly [Kind in keyof Q]: Q[Kind] extends QueryDef<infer A, infer R> ? QueryRun<A, R> : never }
  readonly permissions: readonly Permission[]
  /** Kinds of runs that it schedules. */
  readonly scheduled?: readonly Scheduled<unknown>[]
  /** Work at the end of each block. */
  readonly endOfBlock?: EndOfBlock
  /** Policies, each provided by at most one feature. */
  readonly policies?: Policies
  /** Other rules that nodes must agree on: their texts are hashed with the ABI. */
  readonly rules?: readonly Rule[]
  /** Section that it adds to the genesis manifest. */
  readonly genesis?: GenesisSection<G>
  readonly indexes?: IndexRun
  readonly history?: HistoryKeys
  /** Known computation that shows whether this machine computes the same results as others. */
  readonly selfCheck?: SelfCheck
}

function partOf<Part>(parts: object, kind: string): Part {
  const part = (parts as Readonly<Record<string, Part | undefined>>)[kind]
  if (part === undefined) throw new Error(`no account acts for ${kind}`)
  return part
}

/** Join a schema with its implementation. A declaration without an implementation in `parts` is a type error. */
export function defineLedger<I extends InstructionDefs, Q extends QueryDefs, G>(
  schema: LedgerSchema<I, Q>,
  {
    tables,
    execute,
    queries,
    permissions,
    scheduled = [],
    endOfBlock,
    policies = {},
    rules = [],
    genesis,
    indexes,
    history,
    selfCheck,
  }: LedgerParts<I, Q, G>,
): Feature {
  const { name, abi, since, version, events, parameters, errors } = schema
  return {
    name,
    abi,
    since,
    version,
    tables,
    instructions: Object.values(schema.instructions).map((def) => ({
      ...def,
      ...partOf<Execution<unknown>>(execute, def.kind),
    })),
    queries: Object.values(schema.queries).map((def) => ({
      ...def,
      run: partOf<QueryRun<unknown, unknown>>(queries, def.kind),
    })),
    permissions,
    events: Object.values(events),
    parameters,
    errors,
    scheduled: scheduled.map((def) => ({ feature: name, def })),
    endOfBlock: endOfBlock === undefined ? [] : [{ ...endOfBlock, feature: name }],
    policies,
    rules,
    genesis: genesis === undefined ? [] : [genesis],
    indexes: indexes === undefined ? [] : [indexes],
    history: history === undefined ? [] : [history],
    selfChecks: selfCheck === undefined ? [] : [selfCheck],
  }
}
