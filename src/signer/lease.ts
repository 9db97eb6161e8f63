/**
 * Owns the lease of a signer: the node that acts for the validator, for a bounded time, under a number that only
 * increases.
 */
import type { NetworkKey } from '../model/index.js'

/** Current lease. */
export interface HeldLease {
  /** Incremented at each change of the holder: a lower number belongs to an earlier holder. */
  readonly fence: number
  readonly node: NetworkKey
  readonly untilMs: number
}

/** Response to a lease request of a node. */
export type LeaseAnswer =
  | { readonly kind: 'kept'; readonly fence: number }
  /** The lease goes to another node: durable before the response is sent. */
  | { readonly kind: 'granted'; readonly fence: number }
  | { readonly kind: 'held'; readonly forMs: number }

/** The lease, in memory; times are monotonic, in ms. */
export class Lease {
  constructor(
    private readonly durationMs: number,
    private held: HeldLease | undefined,
  ) {}

  /**
   * Grant the lease. The holder may renew it, even late, until another node takes it over; other nodes may do so after
   * it has expired.
   */
  take(node: NetworkKey, fence: number | undefined, monotonicMs: number): LeaseAnswer {
    const { held } = this
    if (held !== undefined && held.fence === fence && held.node === node) {
      this.held = { ...held, untilMs: monotonicMs + this.durationMs }
      return { kind: 'kept', fence }
    }
    // A node that comes without a number started anew: the process before it is gone, or must be.
    const isOwn = held?.node === node && fence === undefined
    if (held !== undefined && !isOwn && monotonicMs < held.untilMs) {
      return { kind: 'held', forMs: Math.ceil(held.untilMs - monotonicMs) }
    }
    const next = (held?.fence ?? 0) + 1
    this.held = { fence: next, node, untilMs: monotonicMs + this.durationMs }
    return { kind: 'granted', fence: next }
  }

  /** True if the request of a node has the fence of its current lease. */
  isHeldBy(node: NetworkKey, fence: number): boolean {
    return this.held?.node === node && this.held.fence === fence
  }
}
