/** Owns the effects of the state machine: ordered requests to the driver (docs/design/consensus.md). */
import type { BlockHeader, CertifiedHeader, Evidence, TimeoutReason, ValidatorKey } from '../model/index.js'
import type { SignatureCheck } from './check.js'
import type { ConsensusMessage, PlacedRecord } from './messages/index.js'
import type { DurableRecord } from './record.js'
import type { SignIntent } from './signer/request.js'

/** Timers by name; arming a timer replaces it. `view` is the view timer, one per (height, view). */
export type TimerName = 'view' | 'propose' | 'fallback' | 'fetch' | 'sync' | 'defer'

/** The fields of a header that consensus knows before execution. */
export interface HeaderTemplate {
  readonly chain: string
  readonly height: number
  readonly parentHash: Uint8Array
  readonly parentTimeMs: number
  readonly originView: number
  readonly originProposer: ValidatorKey
  readonly rosterHash: Uint8Array
  readonly committeeHash: Uint8Array
  readonly nextCommitteeHash: Uint8Array
}

/**
 * Requests to the driver. Each documents the input that responds to it; without one there is no response. A response carries the
 * job of its effect.
 */
export type Effect =
  /**
   * Send to one peer; dropped if there is no link. `replyBytes`: the message serves a request with this many payload bytes, and is
   * dropped if the peer exceeds its share.
   */
  | {
      readonly type: 'send'
      readonly to: ValidatorKey
      readonly message: ConsensusMessage
      readonly replyBytes?: number
    }
  /** Send to every other peer: roster and observers. A message that is not urgent may be delayed to share a write. */
  | { readonly type: 'broadcast'; readonly message: ConsensusMessage; readonly urgent: boolean }
  /** Append and fdatasync, then `persisted`. Later effects do not wait; steps that depend on durability wait for that input. */
  | { readonly type: 'persist'; readonly job: number; readonly records: readonly DurableRecord[] }
  /**
   * Sign with our key off the main thread, then `signed`, or `unsigned` if the signer refuses. `intent` describes the
   * messages to a remote signer.
   */
  | {
      readonly type: 'sign'
      readonly job: number
      readonly messages: readonly Uint8Array[]
      readonly view: number
      readonly intent: SignIntent
    }
  /** Verify all together, then `verified`. */
  | { readonly type: 'verify'; readonly job: number; readonly checks: readonly SignatureCheck[] }
  /**
   * Aggregate signatures over one message and verify the aggregate, or each signature if that fails, then `aggregated`.
   * Without `verify`: only aggregate.
   */
  | {
      readonly type: 'aggregate'
      readonly job: number
      readonly signatures: readonly Uint8Array[]
      readonly verify: { readonly keys: readonly ValidatorKey[]; readonly message: Uint8Array } | undefined
    }
  /** Build a block from the queue and execute it, then `built` with the block, or without one if there is nothing to propose. */
  | {
      readonly type: 'build'
      readonly job: number
      readonly template: HeaderTemplate
      readonly view: number
      readonly allowEmpty: boolean
      /** Payload size in bytes above which the payload is proposed by the hashes of its records. */
      readonly directBytes: number
    }
  /** Verify signatures not verified before and execute, then `executed` with the result. */
  | {
      readonly type: 'execute'
      readonly job: number
      readonly blockHash: Uint8Array
      readonly header: BlockHeader
      readonly body: Uint8Array
      /** True if a commit certificate covers the block: checks that only decide a vote are skipped. */
      readonly certified: boolean
    }
  /** Append a large payload to the staging segment and fdatasync, then `staged`. */
  | {
      readonly type: 'stage'
      readonly job: number
      readonly height: number
      readonly payloadHash: Uint8Array
      readonly body: Uint8Array
    }
  /** Rebuild a payload from its compact form, the queue and these records, then `rebuilt`. */
  | {
      readonly type: 'rebuild'
      readonly job: number
      readonly blockHash: Uint8Array
      /** Length of the payload by its header; a longer result is refused. */
      readonly payloadBytes: number
      readonly compact: Uint8Array
      readonly records: readonly PlacedRecord[]
    }
  /** Send records of a payload to a peer. */
  | {
      readonly type: 'serveRecords'
      readonly to: ValidatorKey
      readonly height: number
      readonly blockHash: Uint8Array
      readonly body: Uint8Array
      readonly places: readonly number[]
    }
  /** Make an executed block durable and its state with it, then `committed` with the next height's context. */
  | { readonly type: 'commit'; readonly certified: CertifiedHeader; readonly body: Uint8Array }
  /** Serve a peer from the block store; missing blocks are not sent. */
  | { readonly type: 'serveCertificate'; readonly to: ValidatorKey; readonly height: number }
  | { readonly type: 'serveBlocks'; readonly to: ValidatorKey; readonly from: number; readonly count: number }
  | {
      readonly type: 'servePayload'
      readonly to: ValidatorKey
      readonly height: number
      readonly blockHash: Uint8Array
    }
  /** Arm a timer, then `timer` with its name, height and view when it fires. */
  | {
      readonly type: 'arm'
      readonly name: TimerName
      readonly height: number
      readonly view: number
      readonly delayMs: number
      /** The driver adds up to this share of the delay at random. */
      readonly jitter: number
    }
  /** Disarm a timer: it does not fire. */
  | { readonly type: 'disarm'; readonly name: TimerName }
  /** Offer queued transactions again to the committee. */
  | { readonly type: 'reoffer' }
  /** This node may vote again: remove the mark from the vote log, durably, then `abstentionEnded`. */
  | { readonly type: 'endAbstention' }
  /** Report two contradicting messages; with `from`, one of them is still unverified. */
  | {
      readonly type: 'reportEquivocation'
      readonly evidence: Evidence
      /** Peer that sent the unverified message over its own link; a bad signature is its fault. */
      readonly from?: ValidatorKey | undefined
    }
  /** For log, metrics and status. */
  | { readonly type: 'report'; readonly report: Report }
  /** Stop for good: this node cannot reproduce certified roots. */
  | { readonly type: 'halt'; readonly blockHash: Uint8Array; readonly height: number; readonly detail: string }

export type EffectOf<T extends Effect['type']> = Extract<Effect, { readonly type: T }>

/** Handlers of effects, one method per type; the driver and both simulators implement all of them. */
export type EffectHandler = { readonly [T in Effect['type']]: (effect: EffectOf<T>) => void }

/** Dispatch one effect to its handler. */
export function carryOut(handler: EffectHandler, effect: Effect): void {
  // The type of the effect selects the method that has it as its parameter.
  const method = handler[effect.type] as (effect: Effect) => void
  method(effect)
}

/**
 * Reason why a message was dropped; a label of metrics. `fault`: a correct peer does not send it. `known`: a duplicate.
 * `past`, `early`: its height or view is over, or too far ahead to be stored. `replaced`: a newer message of the same peer replaced it
 * in the buffer. `unasked`: a response without a request. `mismatch`: bytes that differ from what was announced or requested, which
 * does not prove a fault of the sender. `unknown`: a request for data that this node does not have. `full`: the peer's share is used up.
 */
export const DROP_REASONS = [
  'fault',
  'known',
  'past',
  'early',
  'replaced',
  'unasked',
  'mismatch',
  'unknown',
  'full',
] as const
export type DropReason = (typeof DROP_REASONS)[number]

/** Observations for log, metrics and status; never an input of the protocol. */
export type Report =
  | {
      readonly kind: 'phase'
      readonly phase: 'propose' | 'payload' | 'execute' | 'prepare' | 'commit' | 'apply'
      readonly height: number
      readonly elapsedMs: number
    }
  | {
      readonly kind: 'viewEntered'
      readonly height: number
      readonly view: number
      readonly cause: TimeoutReason | 'prepareCertificate' | 'newHeight' | 'amplified'
    }
  /** A block was not voted for. */
  | { readonly kind: 'refused'; readonly height: number; readonly view: number; readonly why: string }
  /** A message was dropped. */
  | {
      readonly kind: 'dropped'
      /** Height and view of this node. */
      readonly height: number
      readonly view: number
      /** Sender of the message, or announcer of an invalid payload. */
      readonly from: ValidatorKey
      readonly message: ConsensusMessage['kind']
      readonly reason: DropReason
      /** Details for the log; empty if the reason suffices. */
      readonly why: string
    }
  | { readonly kind: 'badSignature'; readonly peer: ValidatorKey; readonly what: string }
  /** A peer that claims later blocks did not serve the next block of this node. */
  | { readonly kind: 'lacksBlock'; readonly peer: ValidatorKey; readonly height: number }
  /** A peer served invalid blocks; it receives no sync requests for a while. */
  | { readonly kind: 'badSync'; readonly peer: ValidatorKey; readonly height: number; readonly what: string }
