/** Owns the wall clock and the monotonic clock. */

/** Clock functions, injectable for tests; both work without `this`. */
export interface Clocks {
  /** Milliseconds since the Unix epoch. Operators and time services set it, so it may jump in both directions: for times that are told. */
  readonly wallMs: () => number
  /** Milliseconds since some time in this process; it never falls: for spans, pauses and deadlines. */
  readonly monotonicMs: () => number
}

/** The clocks of this machine. */
export const SYSTEM_CLOCKS: Clocks = { wallMs: () => Date.now(), monotonicMs: () => performance.now() }
