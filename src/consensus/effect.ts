/** Owns the effects of the state machine: what it asks the driver to do, in order (docs/design/consensus.md). */
import type { BlockHeader, CertifiedHeader, Evidence, TimeoutReason, ValidatorKey } from '../model/index.js'
import type { SignatureCheck } from './check.js'
import type { ConsensusMessage, PlacedRecord } from './messages/index.js'
import type { DurableRecord } from './record.js'
import type { SignIntent } from './signer/request.js'

/** One timer per name; arming replaces it. `view` is the pacemaker's, one owner per (height, view). */
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
 * What the driver carries out. Each says which input answers it; where none is named, nothing comes back. An answer has the job
 * of its effect.
 */
export type Effect =
  /**
   * To one peer; dropped when there is no link. `replyBytes`: it answers a request with so many bytes of a payload, and is
   * dropped where the peer asks for more than it may.
   */
  | {
      readonly type: 'send'
      readonly to: ValidatorKey
      readonly message: ConsensusMessage
      readonly replyBytes?: number
    }
  /** To every other peer of the network: roster and observers. One that is not urgent may wait to share a write. */
  | { readonly type: 'broadcast'; readonly message: ConsensusMessage; readonly urgent: boolean }
  /** Append and fdatasync, then `persisted`. Later effects do not wait; what depends on it waits for that input. */
  | { readonly type: 'persist'; readonly job: number; readonly records: readonly DurableRecord[] }
  /**
   * Sign with our key, off the main thread, then `signed`; or `unsigned`, where the holder of the key
   * knows better. `intent` says what the messages are.
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
   * Aggregate signatures over one message and verify once, singly when that fails, then `aggregated`.
   * Without `verify`: only aggregate.
   */
  | {
      readonly type: 'aggregate'
      readonly job: number
      readonly signatures: readonly Uint8Array[]
      readonly verify: { readonly keys: readonly ValidatorKey[]; readonly message: Uint8Array } | undefined
    }
  /** Draw from the queue and execute, then `built` with the block, or with none when there is nothing to propose. */
  | {
      readonly type: 'build'
      readonly job: number
      readonly template: HeaderTemplate
      readonly view: number
      readonly allowEmpty: boolean
      /** A payload of more bytes is proposed by the hashes of its records. */
      readonly directBytes: number
    }
  /** Verify what was not verified before and execute, then `executed` with what came of it. */
  | {
      readonly type: 'execute'
      readonly job: number
      readonly blockHash: Uint8Array
      readonly header: BlockHeader
      readonly body: Uint8Array
      /** A commit certificate vouches for it: what only decides a vote is not asked any more. */
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
      /** Length of the payload by its header: what becomes longer is none. */
      readonly payloadBytes: number
      readonly compact: Uint8Array
      readonly records: readonly PlacedRecord[]
    }
  /** Answer a peer with some records of a payload. */
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
  /** Answer a peer from the block store; nothing is sent for what is not there. */
  | { readonly type: 'serveCertificate'; readonly to: ValidatorKey; readonly height: number }
  | { readonly type: 'serveBlocks'; readonly to: ValidatorKey; readonly from: number; readonly count: number }
  | {
      readonly type: 'servePayload'
      readonly to: ValidatorKey
      readonly height: number
      readonly blockHash: Uint8Array
    }
  /** Arm a timer, then `timer` with its name, height and view when it is over. */
  | {
      readonly type: 'arm'
      readonly name: TimerName
      readonly height: number
      readonly view: number
      readonly delayMs: number
      /** The driver adds up to this share of the delay at random. */
      readonly jitter: number
    }
  /** Disarm it: no `timer` comes. */
  | { readonly type: 'disarm'; readonly name: TimerName }
  /** Offer queued transactions again to the committee. */
  | { readonly type: 'reoffer' }
  /** This node may vote again: remove the mark from the vote log, durably, then `abstentionEnded`. */
  | { readonly type: 'endAbstention' }
  /** Two messages contradict each other; where `from` is there, one of them is still to be verified. */
  | {
      readonly type: 'reportEquivocation'
      readonly evidence: Evidence
      /** Who sent it over its own link, its own vote or timeout or a certificate: a bad signature is its fault. */
      readonly from?: ValidatorKey | undefined
    }
  /** For log, metrics and status. */
  | { readonly type: 'report'; readonly report: Report }
  /** Never go on: certified roots that this node cannot reproduce. */
  | { readonly type: 'halt'; readonly blockHash: Uint8Array; readonly height: number; readonly detail: string }

export type EffectOf<T extends Effect['type']> = Extract<Effect, { readonly type: T }>

/** Carries out effects, one method for each type: the driver and both simulators have one, and none compiles without all types. */
export type EffectHandler = { readonly [T in Effect['type']]: (effect: EffectOf<T>) => void }

/** Carries out one effect. */
export function carryOut(handler: EffectHandler, effect: Effect): void {
  // The type of the effect selects the method that has it as its parameter.
  const method = handler[effect.type] as (effect: Effect) => void
  method(effect)
}

/**
 * Why a message came to nothing, the names that metrics count by. `fault`: no correct peer sends it here. `known`: it says nothing
 * new. `past` and `early`: its height or view is over, or too far ahead to be kept. `replaced`: a newer one of the same peer took its
 * place while it waited. `unasked`: an answer to no question of ours. `mismatch`: other bytes than were announced or asked for; whose
 * fault that is, they do not show. `unknown`: a question about what this node does not have. `full`: the share of its peer is used up.
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

/** What the log, the metrics and the status show; never an input of the protocol. */
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
  /** A message came to nothing. */
  | {
      readonly kind: 'dropped'
      /** Where this node is. */
      readonly height: number
      readonly view: number
      /** Who sent it, or announced what turned out to be none. */
      readonly from: ValidatorKey
      readonly message: ConsensusMessage['kind']
      readonly reason: DropReason
      /** For people; empty where the reason says all. */
      readonly why: string
    }
  | { readonly kind: 'badSignature'; readonly peer: ValidatorKey; readonly what: string }
  /** A peer that speaks of later blocks did not serve the next one of this node. */
  | { readonly kind: 'lacksBlock'; readonly peer: ValidatorKey; readonly height: number }
  /** A peer served blocks that do not hold; it is not asked for a while. */
  | { readonly kind: 'badSync'; readonly peer: ValidatorKey; readonly height: number; readonly what: string }
