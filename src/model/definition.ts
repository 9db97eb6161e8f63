/**
 * Owns the ledger declarations of a feature (docs/design/structure.md 2): names and records of its instructions,
 * events, queries and parameters. Clients share them with the node; the implementation is declared by
 * `executor/feature.ts`.
 */
import { type Fields, isSchema, pascalCase, type Schema, type StructOf, struct } from '../codec/index.js'
import type { Dated } from './dated.js'
import type { ErrorDef } from './error-catalogue.js'
import type { DataEvent, EventAbout } from './event.js'
import type { Instruction } from './transaction.js'

/** Declaration of an instruction, without its execution. */
export interface InstructionDef<T> extends Dated {
  /** Wire id, never reused. */
  readonly id: number
  /** Kind in the open registry; JSON shows it in PascalCase. */
  readonly kind: string
  /** `subject::verb`: what routing rules and the explorer match; consensus. */
  readonly label: string
  readonly schema: Schema<T>
}

/** An event kind. */
export interface EventDef<T> extends Dated {
  readonly id: number
  readonly kind: string
  readonly schema: Schema<T>
  /** Name for data triggers and stream filters; consensus. Absent: no trigger can name it. */
  readonly subject?: string
  /** Accounts and objects that it concerns; requires a subject. */
  about?(value: T): EventAbout
}

/** Kinds of telemetry (specification 8.3), which determine the profiles that serve it; see `api/profile.ts`. */
export type TelemetryKind = 'status' | 'metrics' | 'developer'

/** Query kind, answered from committed state for routes and POST /query. */
export interface QueryDef<Q, R> {
  readonly id: number
  readonly kind: string
  readonly input: Schema<Q>
  readonly output: Schema<R>
  /** Telemetry profiles that serve it, as for the route with the same data; absent: every profile. */
  readonly profile?: TelemetryKind
  /**
   * True if the query may occupy the ledger thread for tens of milliseconds. Of all requested queries, one such query
   * runs at a time.
   */
  readonly isLong?: true
  /**
   * True if the query runs on the trial thread, on the state of the last block, because it executes code or computes
   * for long.
   */
  readonly isTrial?: true
}

/** A chain parameter. */
export interface ParameterDef<T> extends Dated {
  readonly name: string
  readonly schema: Schema<T>
  readonly fallback: T
  /** Blocks between the change and its effect. */
  readonly activationDelay: 1 | 2
  check?(value: T): string | undefined
}

/** First and last id of a feature, for each of instructions, tables, events, queries and error numbers. */
export interface IdRange {
  readonly first: number
  readonly last: number
}

/** Ids of the kernel and the core; instruction 30 is reserved for elections. */
export const CORE_IDS: IdRange = { first: 1, last: 199 }
/** Ids of feature `k`; feature 1 is iso20022. */
export const range = (k: number): IdRange => ({ first: 200 + 100 * k, last: 299 + 100 * k })

/** Declarations by kind, or by name. */
export type InstructionDefs = Readonly<Record<string, InstructionDef<unknown>>>
export type EventDefs = Readonly<Record<string, EventDef<unknown>>>
export type QueryDefs = Readonly<Record<string, QueryDef<unknown, unknown>>>

/** Ledger declarations of a feature. */
export interface LedgerSchema<I extends InstructionDefs = InstructionDefs, Q extends QueryDefs = QueryDefs>
  extends Dated {
  readonly name: string
  /** ABI feature that it belongs to, together with other schemas of the same name; absent: a feature of its own. */
  readonly abi?: string
  /** Incremented when execution changes, to distinguish nodes of different versions. */
  readonly version: number
  /** Ranges of its ids; usually one. */
  readonly ids: readonly IdRange[]
  readonly errors: Readonly<Record<string, ErrorDef>>
  readonly instructions: I
  readonly events: EventDefs
  readonly queries: Q
  readonly parameters: readonly ParameterDef<unknown>[]
}

/**
 * Record of a declaration: its fields, which form a struct named after the kind, or a schema with another name or
 * shared use.
 */
export type RecordSpec = Fields | Schema<unknown>
/** Value of a record. */
export type RecordOf<R> = R extends Schema<infer T> ? T : R extends Fields ? StructOf<R> : never

/** Record schema of a kind. */
const recordSchema = (kind: string, record: RecordSpec): Schema<unknown> =>
  isSchema(record) ? record : struct(pascalCase(kind), record)

/** Build each declaration of a group with its key as its kind. */
const eachOf = <D, O>(declared: Readonly<Record<string, D>>, build: (kind: string, one: D) => O): Record<string, O> =>
  Object.fromEntries(Object.entries(declared).map(([kind, one]) => [kind, build(kind, one)]))

/** Instruction as declared by its feature, under its kind. */
export interface InstructionDeclaration<R> extends Dated {
  /** Append only, within the id range of the feature. */
  readonly id: number
  /** `subject::verb`. */
  readonly label: string
  readonly record: R
}

/** Declare the instructions of a feature by kind; the value types follow from the records. */
export const defineInstructions = <R extends Readonly<Record<string, RecordSpec>>>(
  declared: {
    readonly [K in keyof R]: InstructionDeclaration<R[K]>
  },
): { readonly [K in keyof R]: InstructionDef<RecordOf<R[K]>> } =>
  eachOf<InstructionDeclaration<RecordSpec>, InstructionDef<unknown>>(declared, (kind, { record, ...rest }) => ({
    kind,
    ...rest,
    schema: recordSchema(kind, record),
  })) as { readonly [K in keyof R]: InstructionDef<RecordOf<R[K]>> }

/** Subject and object of an event for data triggers and filters. */
export interface EventSubject<T> {
  readonly subject: string
  about?(value: T): EventAbout
}

/** Event as declared by its feature, under its kind. Triggers cannot select an event without a subject. */
export interface EventDeclaration<R> extends Dated, Partial<EventSubject<RecordOf<R>>> {
  readonly id: number
  readonly record: R
}

/** Declare the events of a feature by kind. */
export const defineEvents = <R extends Readonly<Record<string, RecordSpec>>>(
  declared: {
    readonly [K in keyof R]: EventDeclaration<R[K]>
  },
): { readonly [K in keyof R]: EventDef<RecordOf<R[K]>> } =>
  eachOf<EventDeclaration<RecordSpec>, EventDef<unknown>>(declared, (kind, { record, ...rest }) => ({
    kind,
    ...rest,
    schema: recordSchema(kind, record),
  })) as { readonly [K in keyof R]: EventDef<RecordOf<R[K]>> }

/** Value of an event. */
export type EventOf<D> = D extends EventDef<infer T> ? T : never
/** Value of an instruction. */
export type InstructionOf<D> = D extends InstructionDef<infer T> ? T : never

/** Instruction with a typed record. */
export interface TypedInstruction<T> extends Instruction {
  readonly value: T
}
/** Build an instruction. */
export const instruction = <T>(def: InstructionDef<T>, value: NoInfer<T>): TypedInstruction<T> => ({
  kind: def.kind,
  value,
})
/** True for an instruction of this definition; narrows the type of its value. */
export const isInstruction = <T>(one: Instruction, def: InstructionDef<T>): one is TypedInstruction<T> =>
  one.kind === def.kind

/** Event with a typed record. */
export interface TypedEvent<T> extends DataEvent {
  readonly value: T
}
/** Build an event. */
export const event = <T>(def: EventDef<T>, value: NoInfer<T>): TypedEvent<T> => ({ kind: def.kind, value })
/** True for an event of this definition; narrows the type of its value. */
export const isEvent = <T>(one: DataEvent, def: EventDef<T>): one is TypedEvent<T> => one.kind === def.kind

/** Query as declared by its feature, under its kind. */
export interface QueryDeclaration<Q, R> extends Pick<QueryDef<Q, R>, 'profile' | 'isLong' | 'isTrial'> {
  readonly id: number
  readonly input: Schema<Q>
  readonly output: Schema<R>
}

/** Declare the queries of a feature by kind. */
export const defineQueries = <D extends Readonly<Record<string, QueryDeclaration<unknown, unknown>>>>(
  declared: D,
): { readonly [K in keyof D]: D[K] extends QueryDeclaration<infer Q, infer R> ? QueryDef<Q, R> : never } =>
  eachOf<QueryDeclaration<unknown, unknown>, QueryDef<unknown, unknown>>(declared, (kind, one) => ({
    kind,
    ...one,
  })) as { readonly [K in keyof D]: D[K] extends QueryDeclaration<infer Q, infer R> ? QueryDef<Q, R> : never }
