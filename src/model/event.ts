/** Owns events of a block and results of its entries, as they are stored beside it (design/ledger.md 5). */
import { enumOf, hash32, list, open, option, type Schema, struct, u16, u32, varint } from '../codec/index.js'
import { hash } from '../crypto/index.js'

/** Name of the open registry that resolves data events. */
export const EVENT_REGISTRY = 'event'
/** Events that one block may record: bounds memory and the event file. */
const EVENTS_MAX = 1_000_000

/** What a feature tells about a change of state. */
export interface DataEvent {
  readonly kind: string
  readonly value: unknown
}
export const dataEvent: Schema<DataEvent> = open(EVENT_REGISTRY)

/** Outcome of one entry; only the code of an error is hashed, never its text. */
export type EntryOutcome =
  | { readonly kind: 'approved'; readonly value: undefined }
  /** Error code number of the ABI and the index of the failing instruction, when one failed. */
  | { readonly kind: 'rejected'; readonly value: { readonly code: number; readonly instruction: number | undefined } }
const entryOutcome_ = enumOf('EntryOutcome', {
  approved: [0, undefined],
  rejected: [1, struct('Rejection', { code: u16, instruction: option(u32) })],
})
export const entryOutcome: Schema<EntryOutcome> = entryOutcome_

/** Result of one entry of a block: outcome and metered cost. Leaves of the header's results root. */
export interface EntryResult {
  readonly transactionId: Uint8Array
  readonly outcome: EntryOutcome
  /** Metered transaction execution units. */
  readonly teu: number
}
const entryResult_ = struct('EntryResult', { transactionId: hash32, outcome: entryOutcome, teu: varint })
export const entryResult: Schema<EntryResult> = entryResult_
export const entryResultLeaf = (value: EntryResult): Buffer => hash('result', entryResult.encode(value))

/** An event with the entry that caused it; `entry` = number of entries for what the block itself did. */
export interface RecordedEvent {
  readonly entry: number
  readonly event: DataEvent
}
const recordedEvent_ = struct('RecordedEvent', { entry: u32, event: dataEvent })
export const recordedEvent: Schema<RecordedEvent> = recordedEvent_

/** All results and events of a block. */
export interface BlockOutcome {
  readonly results: readonly EntryResult[]
  readonly events: readonly RecordedEvent[]
}
const blockOutcome_ = struct('BlockOutcome', {
  results: list(entryResult, EVENTS_MAX),
  events: list(recordedEvent, EVENTS_MAX),
})
export const blockOutcome: Schema<BlockOutcome> = blockOutcome_
