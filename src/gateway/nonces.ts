/** Owns the nonce cache: a signed request works once (docs/design/gateway.md 9). */
import { SIGNED_REQUEST_SKEW_MS } from '../api/index.js'
import { LedgerError } from '../model/index.js'

/** How long a nonce is remembered, in ms: a timestamp is good from one clock skew ahead to one behind, and clocks are set. */
export const NONCE_REMEMBERED_MS = 2 * SIGNED_REQUEST_SKEW_MS + 10_000

/** How much is remembered. */
export interface NonceBounds {
  /** Nonces of all keys, and of one. */
  readonly total: number
  readonly perKey: number
}

export class NonceMemory {
  /** Expiry by key and nonce, in the order of arrival, which is the order of expiry. */
  private readonly expiry = new Map<string, { readonly key: string; readonly expiresAtMs: number }>()
  private readonly counts = new Map<string, number>()

  constructor(private readonly bounds: NonceBounds) {}

  /** Notes a nonce of a key; why it may not be used. `nowMs` is monotonic. */
  note(key: string, nonce: string, nowMs: number): LedgerError | undefined {
    this.sweep(nowMs)
    const entry = `${key} ${nonce}`
    if (this.expiry.has(entry)) {
      return new LedgerError('unauthorised', 'this was sent before: sign a new one, with a nonce of its own')
    }
    const own = this.counts.get(key) ?? 0
    if (own >= this.bounds.perKey || this.expiry.size >= this.bounds.total) {
      const whose = own >= this.bounds.perKey ? ' by this key' : ''
      return new LedgerError('rate_limited', `too many signed requests${whose} within ${NONCE_REMEMBERED_MS / 1000} s`)
    }
    this.expiry.set(entry, { key, expiresAtMs: nowMs + NONCE_REMEMBERED_MS })
    this.counts.set(key, own + 1)
    return undefined
  }

  private sweep(nowMs: number): void {
    for (const [entry, { key, expiresAtMs }] of this.expiry) {
      if (expiresAtMs > nowMs) return
      this.expiry.delete(entry)
      const left = (this.counts.get(key) ?? 1) - 1
      if (left === 0) this.counts.delete(key)
      else this.counts.set(key, left)
    }
  }
}
