/** Owns the sessions of operators: tokens that replace a signature for a while (docs/design/gateway.md 9). */
import { createHash, randomBytes } from 'node:crypto'
import { BoundedMap } from '../base/bounded.js'
import type { AccountId } from '../model/index.js'

/** Lifetime of a session, in ms: long enough for a page of an operator, short enough for an abandoned one. */
export const SESSION_MS = 900_000
/** Sessions at a time; the oldest ends when there are more. Operators are few. */
const SESSIONS_MAX = 256
const TOKEN_BYTES = 32
/** Longest token that is looked at, in characters. */
const TOKEN_MAX_CHARACTERS = 64

interface Session {
  readonly account: AccountId
  /** Monotonic ms. */
  readonly endsAtMs: number
}

/** Tokens are kept by their digest: a copy of the memory opens nothing. A lookup by digest tells nothing by its time. */
const digestOf = (token: string): string => createHash('sha256').update(token, 'utf8').digest('base64')

/** Digest that identifies a session without its token. */
export type SessionDigest = string

export class OperatorSessions {
  /** In the order of their start, which is the order of their end. */
  private readonly sessions = new BoundedMap<SessionDigest, Session>(SESSIONS_MAX)
  private readonly listeners: (() => void)[] = []

  /** Starts a session of an operator; gives its token. */
  open(account: AccountId, monotonicMs: number): string {
    this.forgetEnded(monotonicMs)
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    this.sessions.set(digestOf(token), { account, endsAtMs: monotonicMs + SESSION_MS })
    return token
  }

  /** The operator of a token; undefined when it is unknown or over. */
  find(token: string, monotonicMs: number): AccountId | undefined {
    const digest = this.digest(token)
    return digest !== undefined && this.isOpen(digest, monotonicMs) ? this.sessions.get(digest)?.account : undefined
  }

  /** The digest of a token; undefined when it is too long to be one. */
  digest(token: string): SessionDigest | undefined {
    return token.length > TOKEN_MAX_CHARACTERS ? undefined : digestOf(token)
  }

  /** False for a session that is over. */
  isOpen(digest: SessionDigest, monotonicMs: number): boolean {
    return (this.sessions.get(digest)?.endsAtMs ?? 0) > monotonicMs
  }

  /** Calls the listener whenever sessions were ended, not when their time is over. */
  onEnd(listener: () => void): void {
    this.listeners.push(listener)
  }

  /** Ends a session; false when there is none. */
  end(token: string): boolean {
    const digest = digestOf(token)
    return this.remove(this.sessions.has(digest) ? [digest] : [])
  }

  /** Ends every session of an operator; false when there was none. */
  endAll(account: AccountId): boolean {
    const own = [...this.sessions].filter(([, session]) => session.account === account)
    return this.remove(own.map(([digest]) => digest))
  }

  private remove(digests: readonly SessionDigest[]): boolean {
    for (const digest of digests) this.sessions.delete(digest)
    if (digests.length > 0) for (const listener of this.listeners) listener()
    return digests.length > 0
  }

  private forgetEnded(monotonicMs: number): void {
    for (const [digest, { endsAtMs }] of this.sessions) {
      if (endsAtMs > monotonicMs) return
      this.sessions.delete(digest)
    }
  }
}
