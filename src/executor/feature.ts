/** Owns the declaration of how a feature acts on the ledger (docs/design/structure.md 2): pure, the same on every node. */
import type { InstructionDef, InstructionDefs, LedgerSchema, QueryDef, QueryDefs } from '../model/index.js'
import type { TableDef } from '../state/index.js'
import type {
  EndOfBlock,
  Execution,
  Feature,
  GenesisSection,
  IndexRun,
  Permission,
  Policies,
  QueryRun,
  Scheduled,
  SelfCheck,
} from './contract.js'

/** How the declarations of a schema act: everything that it names, and nothing else. */
export interface LedgerParts<I extends InstructionDefs, Q extends QueryDefs, G> {
  readonly tables: readonly TableDef<unknown, unknown>[]
  readonly execute: { readonly [Kind in keyof I]: I[Kind] extends InstructionDef<infer T> ? Execution<T> : never }
  readonly queries: { readonly [Kind in keyof Q]: Q[Kind] extends QueryDef<infer A, infer R> ? QueryRun<A, R> : never }
  readonly permissions: readonly Permission[]
  /** Kinds of runs that it schedules. */
  readonly scheduled?: readonly Scheduled<unknown>[]
  /** What it does at the end of each block. */
  readonly endOfBlock?: EndOfBlock
  /** Rules that one feature may provide at most. */
  readonly policies?: Policies
  /** What else nodes have to agree on: hashed with the ABI. */
  readonly rules?: readonly string[]
  /** What it adds to the genesis manifest. */
  readonly genesis?: GenesisSection<G>
  readonly indexes?: IndexRun
  /** Known work that shows whether this machine computes what the others do. */
  readonly selfCheck?: SelfCheck
}

function partOf<Part>(parts: object, kind: string): Part {
  const part = (parts as Readonly<Record<string, Part | undefined>>)[kind]
  if (part === undefined) throw new Error(`nothing acts for ${kind}`)
  return part
}

/** Joins a schema and how it acts. What the schema names and `parts` does not have is an error of types. */
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
    selfCheck,
  }: LedgerParts<I, Q, G>,
): Feature {
  const { name, abi, version, events, parameters, errors } = schema
  return {
    name,
    abi,
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
    events,
    parameters,
    errors,
    scheduled: scheduled.map((def) => ({ feature: name, def })),
    endOfBlock: endOfBlock === undefined ? [] : [{ ...endOfBlock, feature: name }],
    policies,
    rules,
    genesis: genesis === undefined ? [] : [genesis],
    indexes: indexes === undefined ? [] : [indexes],
    selfChecks: selfCheck === undefined ? [] : [selfCheck],
  }
}
