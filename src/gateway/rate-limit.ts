/** Owns the token buckets of clients: one per API token or address (`clientAddress`), refilled at a steady rate. */
import { BoundedMap } from '../base/bounded.js'
import { TokenBucket } from '../base/token-bucket.js'
import type { RateLimit } from './config.js'

/**
 * Maximum clients in memory. The least recently seen client is evicted, and has a full bucket again when it returns.
 */
const CLIENTS_MAX = 4_096

export class RateLimiter {
  private readonly buckets = new BoundedMap<string, TokenBucket>(CLIENTS_MAX)

  constructor(private readonly limit: RateLimit) {}

  /**
   * Take tokens from the bucket of a client, at most a whole bucket. Returns 0, or the seconds until they are
   * available.
   */
  take(client: string, monotonicMs: number, wanted = 1): number {
    const bucket = this.buckets.get(client) ?? new TokenBucket(this.limit, monotonicMs)
    // Moves it to the end: most recently seen.
    this.buckets.renew(client, bucket)
    return bucket.take(Math.min(wanted, this.limit.burst), monotonicMs)
  }
}
