/**
 * Owns what a feature declares of the ledger (docs/design/structure.md 2): what its instructions, events, queries and parameters
 * are called and look like. Clients share it with the node; how they act is `executor/feature.ts`.
 */
import type { Schema } from '../codec/index.js'
import type { Dated } from './dated.js'
import type { ErrorDef } from './error-catalogue.js'
import type { EventAbout } from './event.js'

/** An instruction as it travels. */
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
  /** What data triggers and stream filters know it by; consensus. Absent: no trigger can name it. */
  readonly subject?: string
  /** Whom and what it is about; needs a subject. */
  about?(value: T): EventAbout
}

/** Kinds of telemetry (specification 8.3): which profiles serve what tells of them; `api/profile.ts` says which. */
export type TelemetryKind = 'status' | 'metrics' | 'developer'

/** A query kind: answered from committed state, by routes and by POST /query alike. */
export interface QueryDef<Q, R> {
  readonly id: number
  readonly kind: string
  readonly input: Schema<Q>
  readonly output: Schema<R>
  /** Telemetry that it tells, as the route does that shows it; absent: every profile serves it. */
  readonly profile?: TelemetryKind
  /** It may hold the ledger thread for tens of milliseconds by itself: of all that requests ask for, one such runs at a time. */
  readonly isLong?: true
  /** It runs on the trial thread, on the state of the last block: it executes something, or computes for long. */
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

/** Ids of the kernel and the core; instruction 30 waits for elections. */
export const CORE_IDS: IdRange = { first: 1, last: 199 }
/** Ids of feature `k`; feature 1 is iso20022. */
export const range = (k: number): IdRange => ({ first: 200 + 100 * k, last: 299 + 100 * k })

/** Declarations by kind, or by name. */
export type InstructionDefs = Readonly<Record<string, InstructionDef<unknown>>>
export type QueryDefs = Readonly<Record<string, QueryDef<unknown, unknown>>>

/** What a feature declares of the ledger. */
export interface LedgerSchema<I extends InstructionDefs = InstructionDefs, Q extends QueryDefs = QueryDefs>
  extends Dated {
  readonly name: string
  /** Feature of the ABI that it is a part of, with others of that name; absent: one of its own. */
  readonly abi?: string
  /** Raised when execution changes, so that nodes of another version are told apart. */
  readonly version: number
  /** Ranges of its ids; nearly always one. */
  readonly ids: readonly IdRange[]
  readonly errors: Readonly<Record<string, ErrorDef>>
  readonly instructions: I
  readonly events: readonly EventDef<unknown>[]
  readonly queries: Q
  readonly parameters: readonly ParameterDef<unknown>[]
}

/** Declares an instruction; the type of its record follows from the schema. */
export const defineInstruction = <T>(
  id: number,
  kind: string,
  label: string,
  schema: Schema<T>,
  dated: Dated = {},
): InstructionDef<T> => ({
  id,
  kind,
  label,
  schema,
  ...dated,
})

/** What data triggers and filters find an event by. */
export interface EventSubject<T> extends Dated {
  readonly subject: string
  readonly about?: (value: T) => EventAbout
}

/** Declares an event; without a subject no trigger can name it. */
export const defineEvent = <T>(
  id: number,
  kind: string,
  schema: Schema<T>,
  subject?: EventSubject<T> | Dated,
): EventDef<T> => ({
  id,
  kind,
  schema,
  ...subject,
})

/** Value of an event. */
export type EventOf<D> = D extends EventDef<infer T> ? T : never

/** Declares a query; the types of input and answer follow from the schemas. */
export const defineQuery = <Q, R>(
  id: number,
  kind: string,
  input: Schema<Q>,
  output: Schema<R>,
  profile?: TelemetryKind,
): QueryDef<Q, R> => ({ id, kind, input, output, ...(profile === undefined ? {} : { profile }) })

/** A query that runs on the trial thread. */
export const trialQuery = <Q, R>(def: QueryDef<Q, R>): QueryDef<Q, R> => ({ ...def, isTrial: true })

/** A query that may hold the ledger thread for long. */
export const longQuery = <Q, R>(def: QueryDef<Q, R>): QueryDef<Q, R> => ({ ...def, isLong: true })
