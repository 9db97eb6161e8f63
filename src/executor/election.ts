/** Owns the interface between the executor and the feature that elects validators (docs/concepts/staking.md). */
import type { Numeric } from '../codec/index.js'
import type {
  AccountId,
  DataEvent,
  ParameterDef,
  PeerRole,
  PhaseTimes,
  TransactionPayload,
  ValidatorKey,
} from '../model/index.js'
import type { StateReader, StateWriter } from '../state/index.js'
import type { Rejection } from './rejection.js'
import type { RosterRow } from './tables.js'

/** Election of validators. A chain whose ABI has no such feature uses the registered peers as validators. */
export interface ValidatorElection {
  /** Roster at a height. */
  readonly rosterAt: RosterSource
  /** Determine the roster from genesis on, after its instructions; returns the reason if that is impossible. */
  first(state: StateWriter, genesis: { readonly consensusMode: string; readonly seed: Uint8Array }): string | undefined
  /** What peers and their keys may not do while validators are elected. */
  readonly peers: ElectedPeers
  /** Acts on each fault that a block proves. */
  readonly onFault: FaultSink
  /** What validators owe the chain: it costs no fee. */
  readonly duties: ValidatorDuties
  /** Parameters that elections follow. */
  readonly parameters: readonly ParameterDef<unknown>[]
  /** The epoch that runs at a height; undefined in permissioned time. */
  epochFacts(state: StateReader, height: number): EpochFacts | undefined
  /** Seats of an epoch with their stakes; undefined: its validators are not elected, or it is no longer kept. */
  seatsOf(state: StateReader, epoch: number): readonly SeatFacts[] | undefined
  /** The mode that waits for its height; called together with the active one. */
  stagedMode(state: StateReader): string | undefined
  /** The last change of mode, if it could not be made at its height. */
  cancelledMode(state: StateReader): CancelledMode | undefined
  /** Times of the phases of a view at the next height; undefined: measured times alone decide. */
  phaseTimes(state: StateReader): PhaseTimes | undefined
  /** Computes what the next blocks will need: called between blocks, changes nothing. */
  prepare(state: StateReader): void
}

/** Roster of a height, determined by the state two heights before; undefined: the registered validators. */
export type RosterSource = (state: StateReader, height: number) => RosterRow | undefined

/** Effects of the removal of a peer, and its events. */
export interface RemovalContext extends StateWriter {
  record(event: DataEvent): void
}

/** Rules about peers while validators are elected. */
export interface ElectedPeers {
  /** Reason why a peer of this role may not be registered. */
  register(state: StateReader, role: PeerRole): Rejection | undefined
  /** Rejection if this peer may not be removed; otherwise its validator is no longer a candidate. */
  unregister(ctx: RemovalContext, peer: ValidatorKey): Rejection | undefined
  /** Reason why the key of this peer changes in another way. */
  rotate(state: StateReader, peer: ValidatorKey): Rejection | undefined
  /** Reason why this key may not be disabled from a height on. */
  disable(state: StateReader, key: ValidatorKey, fromHeight: number): Rejection | undefined
}

/** A fault that a block proves. */
export interface RecordedFault {
  readonly kind: string
  /** Consensus key that signed. */
  readonly offender: ValidatorKey
  /** Height and view of the fault, epoch of that height. */
  readonly height: number
  readonly view: number
  readonly epoch: number
  readonly evidenceHash: Uint8Array
  /** Block that proves it. */
  readonly recordedHeight: number
  readonly recordedMs: number
}

/** Acts on a recorded fault. It refuses nothing: the block is good. */
export type FaultSink = (state: StateWriter, fault: RecordedFault) => void

/** Duty transactions of validators. */
export interface ValidatorDuties {
  /** Name of what a payload does for the chain; undefined: nothing of that kind. Of the payload alone. */
  dutyOf(payload: Pick<TransactionPayload, 'executable'>): string | undefined
  /** True if the account owes the duty at the next height; reported once each time. */
  isOwed(state: StateReader, authority: AccountId, duty: string, height: number): boolean
}

/** A seat of an epoch with its stake. */
export interface SeatFacts {
  readonly key: ValidatorKey
  readonly stake: Numeric
}

/** Change of mode that was cancelled by the block at its height. */
export interface CancelledMode {
  readonly mode: string
  /** Height that it was staged for. */
  readonly height: number
  readonly reason: string
}

/** An epoch of elected validators as status and dashboards show it. */
export interface EpochFacts {
  readonly number: number
  readonly term: number
  /** Blocks until the next one begins, where nothing delays it. */
  readonly blocksLeft: number
  readonly seats: readonly SeatFacts[]
  /** Of the next epoch, once its election is decided. */
  readonly next: readonly SeatFacts[] | undefined
  /** Commitments and reveals in this epoch so far, and whether its own seed came from too few. */
  readonly commits: number
  readonly reveals: number
  readonly isWeak: boolean
}
