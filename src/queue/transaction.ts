/** Owns the queue entry: an admitted transaction. */
import type { RoutingDecision } from '../lanes/index.js'

/** An admitted transaction: its bytes are its own copy, its signature was verified. */
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
  /** What it counts in the work sum of a block, in units of 10 ns. */
  readonly work: number
  /** Units of its proofs. */
  readonly proofWork: number
  /** Of its proofs those that are verified where they run; absent: none. */
  readonly unverifiedProofs?: number
  readonly expiresAtMs: number
  /** When it entered this queue, monotonic ms. */
  readonly enteredAtMs: number
  /** From when on a block of this node takes it, monotonic ms; absent: at once. */
  readonly drawnFromMs?: number
}
