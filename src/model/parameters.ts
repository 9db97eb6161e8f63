/** Owns the consensus parameters that the pure state machine reads, with their defaults and reasons. */

/** Phases of a view with separate times, in order. */
export const PHASES = ['propose', 'payload', 'execute', 'prepare', 'commit'] as const
export type TimedPhase = (typeof PHASES)[number]
/** Time of each phase of a view, in ms. */
export type PhaseTimes = Readonly<Record<TimedPhase, number>>

/** Chain parameters of consensus; world state, the same on every node. */
export interface ConsensusParameters {
  /** Minimum spacing of blocks in ms. Blocks are not periodic, and timeouts do not depend on it. */
  readonly blockTimeMs: number
  /**
   * Phase times while validators are elected; no view is shorter than their sum. Absent: measured times alone determine
   * views.
   */
  readonly phases: PhaseTimes | undefined
  /** Lower end of the measured height time in ms; the upper end is four times it. */
  readonly baseHeightMs: number
  /** Maximum lead of a header time over the clock of a voter, in ms. */
  readonly maxClockDriftMs: number
  /** Vote collectors per height; 0 = auto (all members up to 7, else f + 1). */
  readonly collectorsK: number
  /** Extra vote targets beyond the collectors. */
  readonly redundantSendR: number
  /**
   * True if every payload is broadcast with READY and DELIVER, as evidence of availability; false if only large ones
   * are.
   */
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
