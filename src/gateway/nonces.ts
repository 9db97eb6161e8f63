/** Owns the memory of nonces: a signed request works once (design/gateway.md 9). */

/** Nonces remembered: 300 s at some two hundred signed requests per second. */
const NONCES_MAX = 65_536
/** How long a nonce is remembered, in ms; five times the clock skew, so that no valid timestamp outlives it. */
const REMEMBERED_MS = 300_000

export class NonceMemory {
  /** Expiry by nonce, in the order of arrival, which is the order of expiry. */
  private readonly expiry = new Map<string, number>()

  /** Notes a nonce. `full`: too many are remembered to take another one. `nowMs` is monotonic. */
  note(nonce: string, nowMs: number): 'fresh' | 'replayed' | 'full' {
    for (const [old, expiresAtMs] of this.expiry) {
      if (expiresAtMs > nowMs) break
      this.expiry.delete(old)
    }
    if (this.expiry.has(nonce)) return 'replayed'
    if (this.expiry.size >= NONCES_MAX) return 'full'
    this.expiry.set(nonce, nowMs + REMEMBERED_MS)
    return 'fresh'
  }
}
