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
  /** Restrictions on peers and keys while validators are elected. */
  readonly peers: ElectedPeers
  /** Handler of each fault that a block proves. */
  readonly onFault: FaultSink
  /** Duty transactions of validators, which are exempt from fees. */
  readonly duties: ValidatorDuties
  /** Parameters of elections. */
  readonly parameters: readonly ParameterDef<unknown>[]
  /** Epoch at a height; undefined in permissioned mode. */
  epochFacts(state: StateReader, height: number): EpochFacts | undefined
  /** Seats of an epoch with their stakes; undefined if its validators are not elected, or it is no longer stored. */
  seatsOf(state: StateReader, epoch: number): readonly SeatFacts[] | undefined
  /** Staged mode; called together with the active one. */
  stagedMode(state: StateReader): string | undefined
  /** Last cancelled change of mode. */
  cancelledMode(state: StateReader): CancelledMode | undefined
  /** Phase timeouts of a view at the next height; undefined: only measured times decide. */
  phaseTimes(state: StateReader): PhaseTimes | undefined
  /** Precompute data for the next blocks: called between blocks, changes no state. */
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
  /** Reason why this peer cannot rotate its key now. */
  rotate(state: StateReader, peer: ValidatorKey): Rejection | undefined
  /** Reason why this key may not be disabled from a height on. */
  disable(state: StateReader, key: ValidatorKey, fromHeight: number): Rejection | undefined
}

/** Fault proven by a block. */
export interface RecordedFault {
  readonly kind: string
  /** Consensus key that signed. */
  readonly offender: ValidatorKey
  /** Height and view of the fault, epoch of that height. */
  readonly height: number
  readonly view: number
  readonly epoch: number
  readonly evidenceHash: Uint8Array
  /** Height of the block that proves it. */
  readonly recordedHeight: number
  readonly recordedMs: number
}

/** Handler of a recorded fault. It cannot refuse the block. */
export type FaultSink = (state: StateWriter, fault: RecordedFault) => void

/** Duty transactions of validators. */
export interface ValidatorDuties {
  /** Name of the duty that a payload fulfils; undefined if none. Depends on the payload alone. */
  dutyOf(payload: Pick<TransactionPayload, 'executable'>): string | undefined
  /** True if the account owes the duty at the next height; a fulfilled duty is no longer owed. */
  isOwed(state: StateReader, authority: AccountId, duty: string, height: number): boolean
}

/** Seat of an epoch with its stake. */
export interface SeatFacts {
  readonly key: ValidatorKey
  readonly stake: Numeric
}

/** Change of mode that was cancelled by the block at its height. */
export interface CancelledMode {
  readonly mode: string
  /** Height at which it was staged to activate. */
  readonly height: number
  readonly reason: string
}

/** Epoch of elected validators for status and dashboards. */
export interface EpochFacts {
  readonly number: number
  readonly term: number
  /** Number of blocks until the next epoch, unless it is delayed. */
  readonly blocksLeft: number
  readonly seats: readonly SeatFacts[]
  /** Seats of the next epoch, once its election is decided. */
  readonly next: readonly SeatFacts[] | undefined
  /** Numbers of commitments and reveals in this epoch so far, and whether its own seed had too few reveals. */
  readonly commits: number
  readonly reveals: number
  readonly isWeak: boolean
}
