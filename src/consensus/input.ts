/** Owns the inputs of the state machine: everything that can happen to it, answers to its jobs among them, each with the time (docs/design/consensus.md). */
import type { BlockHeader, ValidatorKey } from '../model/index.js'
import type { TimerName } from './effect.js'
import type { HeightContext } from './height.js'
import type { ConsensusMessage, PayloadBreakdown } from './messages/index.js'
import type { SignedRecord } from './signer/signed.js'

/** Verdict on a candidate block. */
export type ExecutionResult =
  | { readonly ok: true }
  /** Its view passed before it was executed: nothing is known of it, and it can be asked for again. */
  | { readonly ok: false; readonly reason: 'viewPassed' }
  | { readonly ok: false; readonly reason: 'validationReject' | 'stateMismatch'; readonly detail: string }

/** A block as the node built it: executed, with all roots. */
export interface FreshBlock {
  readonly header: BlockHeader
  readonly body: Uint8Array
  /** What members rebuild a large payload from; absent for one that goes inside the proposal. */
  readonly compact?: Uint8Array | undefined
  /** What lanes and dataspaces have in it. */
  readonly shares?: readonly PayloadBreakdown[]
}

/** Answer to an effect that started a job: what is done with it, the job says. */
export type Answer =
  | { readonly type: 'verified'; readonly job: number; readonly ok: boolean }
  | { readonly type: 'signed'; readonly job: number; readonly signatures: readonly Uint8Array[] }
  /** Answer to `sign` of a holder that refuses, with what the key signed at that height. */
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
  /** No block when there was nothing to put in one. */
  | { readonly type: 'built'; readonly job: number; readonly block: FreshBlock | undefined }
  | {
      readonly type: 'executed'
      readonly job: number
      readonly result: ExecutionResult
      /** False when the header's time is too far ahead of this node's clock to vote for it. */
      readonly timely: boolean
    }
  /** The payload, or the places of what is missing; neither when the form makes no sense. */
  | {
      readonly type: 'rebuilt'
      readonly job: number
      readonly body: Uint8Array | undefined
      readonly missing: readonly number[]
    }
export type AnswerOf<T extends Answer['type']> = Extract<Answer, { readonly type: T }>

export type Input =
  /** After boot: take up what the durable records say. */
  | { readonly type: 'started' }
  | { readonly type: 'message'; readonly from: ValidatorKey; readonly message: ConsensusMessage }
  | { readonly type: 'timer'; readonly name: TimerName; readonly height: number; readonly view: number }
  /** Work is known or gone: queued transactions, due triggers, pending evidence; `full`: enough for a whole block. */
  | { readonly type: 'work'; readonly pending: boolean; readonly full: boolean }
  | Answer
  /** The block of `commit` is durable and applied; `next` is what the next height needs, `self` our key there. */
  | {
      readonly type: 'committed'
      readonly next: HeightContext
      readonly self: ValidatorKey
      /** Processor time of this node for the block, in ms; undefined: not measured. */
      readonly costMs?: number | undefined
    }
  /** The vote log says no more that this node abstains. */
  | { readonly type: 'abstentionEnded' }
  | { readonly type: 'peerUp'; readonly peer: ValidatorKey }
  /** A link was refused or reset. */
  | { readonly type: 'peerDown'; readonly peer: ValidatorKey }
  /** Once a second with jitter, with one peer chosen at random. */
  | { readonly type: 'gossip'; readonly peer: ValidatorKey }

/** An input with the monotonic time at which it happened, in ms. */
export type TimedInput = Input & { readonly nowMs: number }
