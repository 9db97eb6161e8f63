/** Owns the recipient schedule of periodic Status messages: every peer once before any of them twice (docs/decisions/0039). */
import type { ValidatorKey } from '../model/index.js'

/** Rounds over the connected peers, each in a new random order. */
export class StatusRounds {
  private readonly sent = new Set<ValidatorKey>()

  /** `random(n)`: a number drawn from 0 to n - 1. */
  constructor(private readonly random: (below: number) => number) {}

  /** Next connected peer; undefined if there is none. */
  next(peers: readonly ValidatorKey[]): ValidatorKey | undefined {
    let left = peers.filter((peer) => !this.sent.has(peer))
    if (left.length === 0) {
      this.sent.clear()
      left = [...peers]
    }
    const peer = left.length === 0 ? undefined : left[this.random(left.length)]
    if (peer !== undefined) this.sent.add(peer)
    return peer
  }
}
