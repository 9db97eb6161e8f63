/** Owns the wall clock and the monotonic clock. */

/** Clock functions, injectable for tests; both work without `this`. */
export interface Clocks {
  /**
   * Milliseconds since the Unix epoch, for stored and displayed times. Operators and time services set this clock, so
   * it may jump in both directions.
   */
  readonly wallMs: () => number
  /** Milliseconds since an arbitrary start; never decreases: for intervals, delays and deadlines. */
  readonly monotonicMs: () => number
}

/** The clocks of this machine. */
export const SYSTEM_CLOCKS: Clocks = { wallMs: () => Date.now(), monotonicMs: () => performance.now() }
