/** Owns the nonce cache: a signed request works once (docs/design/gateway.md 9). */
import { SIGNED_REQUEST_SKEW_MS } from '../api/index.js'
import { LedgerError } from '../model/index.js'

/** How long a nonce is remembered, in ms: a timestamp is good from one clock skew ahead to one behind, and clocks are set. */
export const NONCE_REMEMBERED_MS = 2 * SIGNED_REQUEST_SKEW_MS + 10_000

/** How much is remembered. */
export interface NonceBounds {
  /** Nonces of all keys, of one, and of all that one client sent: keys cost nothing, addresses and tokens do. */
  readonly total: number
  readonly perKey: number
  readonly perClient: number
}

export class NonceMemory {
  /** Expiry by key and nonce, in the order of arrival, which is the order of expiry. */
  private readonly expiry = new Map<string, { readonly of: readonly string[]; readonly expiresAtMs: number }>()
  /** By key, and by client. */
  private readonly counts = new Map<string, number>()

  constructor(private readonly bounds: NonceBounds) {}

  /** Notes a nonce of a key that a client sent; why it may not be used. `nowMs` is monotonic. */
  note(key: string, nonce: string, client: string, nowMs: number): LedgerError | undefined {
    this.sweep(nowMs)
    const entry = `${key} ${nonce}`
    if (this.expiry.has(entry)) {
      return new LedgerError('unauthorised', 'this was sent before: sign a new one, with a nonce of its own')
    }
    const of = [`key ${key}`, `client ${client}`]
    const [byKey = 0, byClient = 0] = of.map((one) => this.counts.get(one) ?? 0)
    const { total, perKey, perClient } = this.bounds
    if (byKey >= perKey || byClient >= perClient || this.expiry.size >= total) {
      const whose = byKey >= perKey ? ' by this key' : byClient >= perClient ? ' from this client' : ''
      return new LedgerError('rate_limited', `too many signed requests${whose} within ${NONCE_REMEMBERED_MS / 1000} s`)
    }
    this.expiry.set(entry, { of, expiresAtMs: nowMs + NONCE_REMEMBERED_MS })
    for (const one of of) this.counts.set(one, (this.counts.get(one) ?? 0) + 1)
    return undefined
  }

  private sweep(nowMs: number): void {
    for (const [entry, { of, expiresAtMs }] of this.expiry) {
      if (expiresAtMs > nowMs) return
      this.expiry.delete(entry)
      for (const one of of) {
        const left = (this.counts.get(one) ?? 1) - 1
        if (left === 0) this.counts.delete(one)
        else this.counts.set(one, left)
      }
    }
  }
}
