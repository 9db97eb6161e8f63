/** Owns the events of a block and the results of its entries, stored beside the block (docs/design/ledger.md 5). */
import {
  type Decoded,
  decodeWith,
  enumOf,
  hash32,
  type Infer,
  list,
  open,
  option,
  type Schema,
  string,
  struct,
  u8,
  u16,
  u32,
  varint,
} from '../codec/index.js'
import { hash } from '../crypto/index.js'
import type { AccountId } from './address.js'
import type { AssetId } from './asset.js'

/** Name of the open registry that resolves data events. */
export const EVENT_REGISTRY = 'event'
/** Maximum events recorded by one block; bounds memory and the event file. */
const EVENTS_MAX = 1_000_000

/** Feature event about a state change. */
export interface DataEvent {
  readonly kind: string
  readonly value: unknown
}
export const dataEvent: Schema<DataEvent> = open(EVENT_REGISTRY)

/** Account or balance that an event concerns. */
export type EventParty =
  | { readonly kind: 'account'; readonly value: AccountId }
  | { readonly kind: 'asset'; readonly value: AssetId }

/** Subject and objects of an event, available to data triggers and streams without decoding its record. */
export interface EventAbout {
  /** Ids in their text form: a domain, `name#domain`, `name$domain`, a role, a trigger. */
  readonly objects: readonly string[]
  /** Accounts and balances; a balance also counts for its account. */
  readonly parties: readonly EventParty[]
}

/** Describe an event about objects, by their ids. */
export const aboutObjects = (...objects: readonly string[]): EventAbout => ({ objects, parties: [] })
/** Describe an event about accounts and balances. */
export const aboutParties = (...parties: readonly EventParty[]): EventAbout => ({ objects: [], parties })
export const accountParty = (value: AccountId): EventParty => ({ kind: 'account', value })
export const assetParty = (value: AssetId): EventParty => ({ kind: 'asset', value })

/** Result of the contract calls in an entry. */
export const called = struct('Called', {
  /** 0 if no call trapped and the entry was approved. */
  trap: u8,
  /** Number passed by the contract, if the trap is `aborted`. */
  abortCode: u32,
  /** Gas used by all calls of the entry. */
  gasUsed: varint,
  /** Hash of the output of the call; for several calls, the hash over their hashes. */
  output: hash32,
  /** Hash of the events of contracts, in their order. */
  events: hash32,
})

/** Outcome of one entry; only the code of an error is hashed, never its text. */
export type EntryOutcome = Infer<typeof entryOutcome>
export const entryOutcome = enumOf('EntryOutcome', {
  approved: [0, undefined],
  rejected: [1, struct('Rejection', { code: u16, instruction: option(u32) })],
  called: [2, called],
})

/** Number of the error `contract_trap`; an outcome with calls holds the trap instead. */
export const CONTRACT_TRAP_NUMBER = 702

/**
 * Failure of an entry: the number of its error, and the index of the failed instruction; undefined if it was approved.
 */
export function rejectionOf(
  outcome: EntryOutcome,
): { readonly code: number; readonly instruction: number | undefined } | undefined {
  switch (outcome.kind) {
    case 'approved':
      return undefined
    case 'rejected':
      return outcome.value
    case 'called':
      return outcome.value.trap === 0 ? undefined : { code: CONTRACT_TRAP_NUMBER, instruction: undefined }
  }
}

/** Outcome name in lists and tables: an outcome of contract calls is approved unless a call trapped. */
export const outcomeNameOf = (outcome: EntryOutcome): 'approved' | 'rejected' =>
  rejectionOf(outcome) === undefined ? 'approved' : 'rejected'

/** Result of one entry of a block: outcome and metered cost. A leaf of the results root in the header. */
export interface EntryResult extends Infer<typeof entryResult> {}
export const entryResult = struct('EntryResult', {
  /** For a run of a time or pre-commit trigger, which follows the transactions: `triggerRunId`. */
  transactionId: hash32,
  outcome: entryOutcome,
  /** Metered transaction execution units. */
  teu: varint,
})
export const entryResultLeaf = (value: EntryResult): Buffer => hash('result', entryResult.encode(value))

/**
 * Id of the run of a time or pre-commit trigger in a block; each trigger has at most one run of each kind per block.
 */
export const triggerRunId = (height: number, trigger: string, cause: 'time' | 'preCommit'): Buffer => {
  const place = Buffer.alloc(8)
  place.writeBigUInt64BE(BigInt(height))
  return hash('trigger-run', place, Buffer.from(cause, 'ascii'), Buffer.from(trigger, 'utf8'))
}

/** Event with the index of the entry that caused it among the results; runs of triggers follow the transactions. */
export interface RecordedEvent extends Infer<typeof recordedEvent> {}
export const recordedEvent = struct('RecordedEvent', { entry: u32, event: dataEvent })

/** The events of one entry, in their order. */
export const eventsOfEntry = (events: readonly RecordedEvent[], of: number): DataEvent[] =>
  events.flatMap(({ entry, event }) => (entry === of ? [event] : []))

/** Maximum rejection text in a stored outcome, in bytes: a sentence with an id. */
export const REJECTION_TEXT_MAX_BYTES = 200

/** All results and events of a block, and the rejection messages, which are for display and not hashed. */
export interface BlockOutcome extends Infer<typeof blockOutcome> {}
const results_ = list(entryResult, EVENTS_MAX)
export const blockOutcome = struct('BlockOutcome', {
  results: results_,
  events: list(recordedEvent, EVENTS_MAX),
  /** By the index of the entry, ascending. */
  texts: list(struct('RejectionText', { entry: u32, text: string(REJECTION_TEXT_MAX_BYTES) }), EVENTS_MAX),
})

/** Decode only the results, which are at the start of the record; events, which may have megabytes, are not decoded. */
export const openResults = (outcome: Uint8Array): Decoded<readonly EntryResult[]> =>
  decodeWith(outcome, (reader) => {
    const results = results_.read(reader)
    reader.skip(reader.end - reader.pos)
    return results
  })
