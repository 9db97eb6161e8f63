/** Owns the token buckets of clients: one per API token or address (`clientAddress`), refilled at a steady rate. */
import { BoundedMap } from '../base/bounded.js'
import type { RateLimit } from './config.js'

/** Clients remembered; the one that was seen longest ago is forgotten, which gives it a full bucket again. */
const CLIENTS_MAX = 4_096

interface Bucket {
  tokens: number
  atMs: number
}

export class RateLimiter {
  private readonly buckets = new BoundedMap<string, Bucket>(CLIENTS_MAX)

  constructor(private readonly limit: RateLimit) {}

  /**
   * Takes so many tokens of a client, at most a whole bucket; 0 when they were there, else the seconds until they are. `nowMs` is
   * monotonic.
   */
  take(client: string, nowMs: number, wanted = 1): number {
    const { perSecond, burst } = this.limit
    const amount = Math.min(wanted, burst)
    const bucket = this.buckets.get(client) ?? { tokens: burst, atMs: nowMs }
    // Last in the map: seen most recently.
    this.buckets.renew(client, bucket)
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, nowMs - bucket.atMs) * perSecond) / 1000)
    bucket.atMs = nowMs
    if (bucket.tokens < amount) return (amount - bucket.tokens) / perSecond
    bucket.tokens -= amount
    return 0
  }
}
