/** Owns the queue entry: an admitted transaction. */
import type { RoutingDecision } from '../lanes/index.js'

/** Admitted transaction: its bytes are a copy of its own, and its signature was verified. */
export interface QueuedTransaction {
  readonly id: Buffer
  readonly signedHash: Buffer
  /** Canonical bytes of the signed record. */
  readonly bytes: Uint8Array
  /** Latin1 account id. */
  readonly authority: string
  readonly route: RoutingDecision
  /** Static execution units. */
  readonly teu: number
  /** Contribution to the work sum of a block, in units of 10 ns. */
  readonly work: number
  /** Units of its proofs. */
  readonly proofWork: number
  /** Number of its proofs that are verified only during execution; absent for none. */
  readonly unverifiedProofs?: number
  readonly expiresAtMs: number
  /** Time of arrival in this queue, monotonic ms. */
  readonly enteredAtMs: number
  /** Earliest time at which this node includes it in a block, monotonic ms; absent for at once. */
  readonly drawnFromMs?: number
}
