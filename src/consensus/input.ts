/** Owns the inputs of the state machine: events and responses to its jobs, each with the time (docs/design/consensus.md). */
import type { BlockHeader, ValidatorKey } from '../model/index.js'
import type { TimerName } from './effect.js'
import type { HeightContext } from './height.js'
import type { ConsensusMessage, PayloadBreakdown } from './messages/index.js'
import type { SignedRecord } from './signer/signed.js'

/** Result of executing a candidate block. */
export type ExecutionResult =
  | { readonly ok: true }
  /** The view passed before the execution: there is no result, and it can be requested again. */
  | { readonly ok: false; readonly reason: 'viewPassed' }
  | { readonly ok: false; readonly reason: 'validationReject' | 'stateMismatch'; readonly detail: string }

/** Built block: executed, with all roots. */
export interface FreshBlock {
  readonly header: BlockHeader
  readonly body: Uint8Array
  /** Compact form from which members rebuild a large payload; absent if the payload is inside the proposal. */
  readonly compact?: Uint8Array | undefined
  /** Content per lane and dataspace. */
  readonly shares?: readonly PayloadBreakdown[]
}

/** Response to an effect with a job, which defines the continuation. */
export type Answer =
  | { readonly type: 'verified'; readonly job: number; readonly ok: boolean }
  | { readonly type: 'signed'; readonly job: number; readonly signatures: readonly Uint8Array[] }
  /** Refusal of `sign` by a remote signer, with the messages that the key signed at that height. */
  | { readonly type: 'unsigned'; readonly job: number; readonly recorded: readonly SignedRecord[] }
  /** The aggregate, or the positions in the request whose signatures are bad. */
  | {
      readonly type: 'aggregated'
      readonly job: number
      readonly aggregate: Uint8Array | undefined
      readonly bad: readonly number[]
    }
  | { readonly type: 'persisted'; readonly job: number }
  | { readonly type: 'staged'; readonly job: number }
  /** Undefined if there was nothing to propose. */
  | { readonly type: 'built'; readonly job: number; readonly block: FreshBlock | undefined }
  | {
      readonly type: 'executed'
      readonly job: number
      readonly result: ExecutionResult
      /** False when the header's time is too far ahead of this node's clock to vote for it. */
      readonly timely: boolean
    }
  /** The payload, or the positions of missing records; neither if the compact form is invalid. */
  | {
      readonly type: 'rebuilt'
      readonly job: number
      readonly body: Uint8Array | undefined
      readonly missing: readonly number[]
    }
export type AnswerOf<T extends Answer['type']> = Extract<Answer, { readonly type: T }>

export type Input =
  /** First input after boot: resume from the durable records. */
  | { readonly type: 'started' }
  | { readonly type: 'message'; readonly from: ValidatorKey; readonly message: ConsensusMessage }
  | { readonly type: 'timer'; readonly name: TimerName; readonly height: number; readonly view: number }
  /** Presence of work: queued transactions, due triggers, pending evidence; `full`: enough for a whole block. */
  | { readonly type: 'work'; readonly pending: boolean; readonly full: boolean }
  | Answer
  /** The block of `commit` is durable and applied; `next`: context of the next height; `self`: our key at it. */
  | {
      readonly type: 'committed'
      readonly next: HeightContext
      readonly self: ValidatorKey
      /** Processor time of this node for the block, in ms; undefined: not measured. */
      readonly costMs?: number | undefined
    }
  /** The abstention mark was removed from the vote log. */
  | { readonly type: 'abstentionEnded' }
  | { readonly type: 'peerUp'; readonly peer: ValidatorKey }
  /** A link was refused or reset. */
  | { readonly type: 'peerDown'; readonly peer: ValidatorKey }
  /** Once a second with jitter, with one peer chosen at random. */
  | { readonly type: 'gossip'; readonly peer: ValidatorKey }

/** An input with the monotonic time at which it happened, in ms. */
export type TimedInput = Input & { readonly nowMs: number }
