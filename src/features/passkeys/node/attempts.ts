/**
 * Owns the rate limit of passkeys: a number of requests per minute for each client, and a lock after a number of
 * failures.
 */
import '../schema.js'
import { BoundedMap } from '../../../base/bounded.js'
import { LedgerError } from '../../../model/index.js'
import { CLIENTS_MAX, FAILURES_MAX, FAILURES_MS, LOCK_MS, MINUTE_MS, REQUESTS_PER_MINUTE } from './limits.js'

interface Client {
  readonly requests: number[]
  failures: number[]
  lockedUntilMs: number
}

export class Attempts {
  private readonly clients = new BoundedMap<string, Client>(CLIENTS_MAX)

  constructor(private readonly monotonicMs: () => number) {}

  /** Count a request; an error if the client is over its limit. */
  take(client: string): LedgerError | undefined {
    const nowMs = this.monotonicMs()
    const known = this.of(client)
    const waitMs = known.lockedUntilMs - nowMs
    if (waitMs > 0) return locked(waitMs)
    while (known.requests[0] !== undefined && known.requests[0] <= nowMs - MINUTE_MS) known.requests.shift()
    const [oldest] = known.requests
    if (oldest !== undefined && known.requests.length >= REQUESTS_PER_MINUTE) return locked(oldest + MINUTE_MS - nowMs)
    known.requests.push(nowMs)
    return undefined
  }

  /** Count a failure. */
  failed(client: string): void {
    const nowMs = this.monotonicMs()
    const known = this.of(client)
    known.failures = [...known.failures.filter((atMs) => atMs > nowMs - FAILURES_MS), nowMs]
    if (known.failures.length < FAILURES_MAX) return
    known.failures = []
    known.lockedUntilMs = nowMs + LOCK_MS
  }

  private of(client: string): Client {
    const known = this.clients.get(client) ?? { requests: [], failures: [], lockedUntilMs: 0 }
    // Moved to the end: most recently seen.
    this.clients.renew(client, known)
    return known
  }
}

const locked = (waitMs: number): LedgerError =>
  new LedgerError('passkey_locked', `too many attempts: retry in ${Math.ceil(waitMs / 1_000)} s`)
