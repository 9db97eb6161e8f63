/** Owns the nonce cache: a signed request works once (docs/design/gateway.md 9). */
import { SIGNED_REQUEST_SKEW_MS } from '../api/index.js'
import { LedgerError } from '../model/index.js'

/**
 * Retention of a nonce, in ms. A timestamp is valid from one clock skew ahead to one behind, and clocks may be
 * adjusted.
 */
export const NONCE_RETENTION_MS = 2 * SIGNED_REQUEST_SKEW_MS + 10_000

/** Bounds of the nonce cache. */
export interface NonceBounds {
  /**
   * Maximum nonces of all keys, of one key, and of one client. The last bound is needed because keys are free, while
   * addresses and tokens are not.
   */
  readonly total: number
  readonly perKey: number
  readonly perClient: number
}

/** Numbers of nonces by owner; owners without nonces take no memory. */
class Shares {
  private readonly counts = new Map<string, number>()

  of(owner: string): number {
    return this.counts.get(owner) ?? 0
  }

  add(owner: string, by: 1 | -1): void {
    const next = this.of(owner) + by
    if (next === 0) this.counts.delete(owner)
    else this.counts.set(owner, next)
  }
}

export class NonceMemory {
  /** Expiry by key and nonce, in order of arrival, which is the order of expiry. */
  private readonly expiry = new Map<
    string,
    { readonly key: string; readonly client: string; readonly expiresAtMs: number }
  >()
  private readonly keys = new Shares()
  private readonly clients = new Shares()

  constructor(private readonly bounds: NonceBounds) {}

  /** Record a nonce that a client sent with a key; returns the reason if the nonce may not be used. */
  note(key: string, nonce: string, client: string, monotonicMs: number): LedgerError | undefined {
    this.sweep(monotonicMs)
    const entry = `${key} ${nonce}`
    if (this.expiry.has(entry)) {
      return new LedgerError('unauthorised', 'duplicate request: sign a new one, with a new nonce')
    }
    const { total, perKey, perClient } = this.bounds
    const [isKeyFull, isClientFull] = [this.keys.of(key) >= perKey, this.clients.of(client) >= perClient]
    if (isKeyFull || isClientFull || this.expiry.size >= total) {
      const origin = isKeyFull ? ' by this key' : isClientFull ? ' from this client' : ''
      return new LedgerError('rate_limited', `too many signed requests${origin} within ${NONCE_RETENTION_MS / 1000} s`)
    }
    this.expiry.set(entry, { key, client, expiresAtMs: monotonicMs + NONCE_RETENTION_MS })
    this.keys.add(key, 1)
    this.clients.add(client, 1)
    return undefined
  }

  private sweep(monotonicMs: number): void {
    for (const [entry, { key, client, expiresAtMs }] of this.expiry) {
      if (expiresAtMs > monotonicMs) return
      this.expiry.delete(entry)
      this.keys.add(key, -1)
      this.clients.add(client, -1)
    }
  }
}
