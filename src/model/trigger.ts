/**
 * Owns the records of triggers: their instructions and their filter, as sent and as stored by the ledger
 * (docs/design/lanes.md 2).
 */
import { enumOf, type Infer, list, option, type Schema, string, struct, varint } from '../codec/index.js'
import { accountId } from './address.js'
import { assetId } from './asset.js'
import { NAME_MAX_BYTES, STORED_INSTRUCTIONS_MAX, TRIGGER_EVENTS_MAX } from './limits.js'
import { anyInstruction, type Instruction } from './transaction.js'

/** Instructions that the ledger stores for later execution. */
export const storedInstructions: Schema<readonly Instruction[]> = list(anyInstruction, STORED_INSTRUCTIONS_MAX)

/** Longest id text of an object: `name#domain`, in bytes. */
const OBJECT_MAX_BYTES = 2 * NAME_MAX_BYTES + 1
/** Longest name of a subject or kind of events, in bytes. */
const KIND_MAX_BYTES = 64

/** Scope of a subject whose events match. Append only. */
export type TriggerScope = Infer<typeof triggerScope>
export const triggerScope = enumOf('TriggerScope', {
  any: [0, undefined],
  object: [1, string(OBJECT_MAX_BYTES)],
  account: [2, accountId],
  asset: [3, assetId],
})

/** Events of one subject. */
export interface DataFilter extends Infer<typeof dataFilter_> {}
const dataFilter_ = struct('DataFilter', {
  subject: string(KIND_MAX_BYTES),
  /** Kinds within the subject; empty for all. */
  events: list(string(KIND_MAX_BYTES), TRIGGER_EVENTS_MAX),
  scope: triggerScope,
})

/** Scheduled times in header time, in ms since the Unix epoch. */
export interface TimeFilter extends Infer<typeof timeFilter_> {}
const timeFilter_ = struct('TimeFilter', {
  startMs: varint,
  /** Absent for a single run. */
  periodMs: option(varint),
})

/** Condition of a trigger. Append only. */
export type TriggerFilter = Infer<typeof triggerFilter>
export const triggerFilter = enumOf('TriggerFilter', {
  data: [0, dataFilter_],
  time: [1, timeFilter_],
  preCommit: [2, undefined],
  byCall: [3, undefined],
})
