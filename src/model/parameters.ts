/** Owns the consensus parameters that the pure state machine reads, with their defaults and reasons. */

/** Phases of a view that have times of their own, one after another. */
export const PHASES = ['propose', 'payload', 'execute', 'prepare', 'commit'] as const
export type TimedPhase = (typeof PHASES)[number]
/** Time of each phase of a view, in ms. */
export type PhaseTimes = Readonly<Record<TimedPhase, number>>

/** Chain parameters of consensus; world state, the same on every node. */
export interface ConsensusParameters {
  /** Least spacing of blocks in ms; not a period, and no factor of any timeout. */
  readonly blockTimeMs: number
  /** Times of the phases while validators are elected: no view is shorter than their sum. Absent: measured times alone decide. */
  readonly phases: PhaseTimes | undefined
  /** Lower end of the measured height time in ms; the upper end is four times it. */
  readonly baseHeightMs: number
  /** Maximum lead of the time of a header over the clock of a voter, in ms. */
  readonly maxClockDriftMs: number
  /** Vote collectors per height; 0 = auto (all members up to 7, else f + 1). */
  readonly collectorsK: number
  /** Extra vote targets beyond the collectors. */
  readonly redundantSendR: number
  /** Every payload is broadcast with READY and DELIVER, as evidence that it is available; off: only those that are large. */
  readonly dataAvailability: boolean
}

export const DEFAULT_CONSENSUS_PARAMETERS: ConsensusParameters = {
  blockTimeMs: 20,
  phases: undefined,
  baseHeightMs: 50,
  maxClockDriftMs: 1_000,
  collectorsK: 0,
  redundantSendR: 0,
  dataAvailability: false,
}

/** Selection of validators: registered by administrators, or elected by stake. */
export type ConsensusMode = 'permissioned' | 'npos'
