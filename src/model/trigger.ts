/** Owns the records of triggers: their instructions and the filter that makes them run, as it travels and as the ledger keeps it (docs/design/lanes.md 2). */
import { enumOf, list, option, type Schema, string, struct, varint } from '../codec/index.js'
import { type AccountId, accountId } from './address.js'
import { type AssetId, assetId } from './asset.js'
import { NAME_MAX_BYTES, STORED_INSTRUCTIONS_MAX, TRIGGER_EVENTS_MAX } from './limits.js'
import { type Instruction, instruction } from './transaction.js'

/** Instructions that the ledger keeps for later. */
export const storedInstructions: Schema<readonly Instruction[]> = list(instruction, STORED_INSTRUCTIONS_MAX)

/** Longest id text of an object: `name#domain`, in bytes. */
const OBJECT_MAX_BYTES = 2 * NAME_MAX_BYTES + 1
/** Longest name of a subject or kind of events, in bytes. */
const KIND_MAX_BYTES = 64

/** Whose events of a subject count. Append only. */
export type TriggerScope =
  | { readonly kind: 'any'; readonly value: undefined }
  /** A domain, `name#domain`, `name$domain`, a role, a trigger. */
  | { readonly kind: 'object'; readonly value: string }
  | { readonly kind: 'account'; readonly value: AccountId }
  | { readonly kind: 'asset'; readonly value: AssetId }
const scope_ = enumOf('TriggerScope', {
  any: [0, undefined],
  object: [1, string(OBJECT_MAX_BYTES)],
  account: [2, accountId],
  asset: [3, assetId],
})
export const triggerScope: Schema<TriggerScope> = scope_

/** Events of one subject. */
export interface DataFilter {
  readonly subject: string
  /** Kinds within the subject; none: all of them. */
  readonly events: readonly string[]
  readonly scope: TriggerScope
}
const dataFilter_ = struct('DataFilter', {
  subject: string(KIND_MAX_BYTES),
  events: list(string(KIND_MAX_BYTES), TRIGGER_EVENTS_MAX),
  scope: triggerScope,
})

/** Points in header time, in ms since the Unix epoch. */
export interface TimeFilter {
  readonly startMs: number
  /** Absent: once. */
  readonly periodMs: number | undefined
}
const timeFilter_ = struct('TimeFilter', { startMs: varint, periodMs: option(varint) })

/** What makes a trigger run. Append only. */
export type TriggerFilter =
  | { readonly kind: 'data'; readonly value: DataFilter }
  | { readonly kind: 'time'; readonly value: TimeFilter }
  | { readonly kind: 'preCommit'; readonly value: undefined }
  | { readonly kind: 'byCall'; readonly value: undefined }
const filter_ = enumOf('TriggerFilter', {
  data: [0, dataFilter_],
  time: [1, timeFilter_],
  preCommit: [2, undefined],
  byCall: [3, undefined],
})
export const triggerFilter: Schema<TriggerFilter> = filter_
