/** Owns the sessions of operators: tokens that temporarily replace a signature (docs/design/gateway.md 9). */
import { createHash, randomBytes } from 'node:crypto'
import { BoundedMap } from '../base/bounded.js'
import type { AccountId } from '../model/index.js'

/**
 * Lifetime of a session, in ms: long enough for an operator to use a page, and short enough for an abandoned session.
 */
export const SESSION_MS = 900_000
/** Maximum concurrent sessions; beyond it the oldest session ends. */
const SESSIONS_MAX = 256
const TOKEN_BYTES = 32
/** Maximum length of a token, in characters. */
const TOKEN_MAX_CHARACTERS = 64

interface Session {
  readonly account: AccountId
  /** End on the monotonic clock, ms. */
  readonly endsAtMs: number
}

/**
 * Digest of a token. Only digests are stored, so that a memory dump contains no tokens; a lookup by digest has no
 * timing leak.
 */
const digestOf = (token: string): string => createHash('sha256').update(token, 'utf8').digest('base64')

/** Digest that identifies a session without its token. */
export type SessionDigest = string

export class OperatorSessions {
  /** Sessions in order of their start, which is also the order of their end. */
  private readonly sessions = new BoundedMap<SessionDigest, Session>(SESSIONS_MAX)
  private readonly listeners: (() => void)[] = []

  /** Start a session of an operator; returns its token. */
  open(account: AccountId, monotonicMs: number): string {
    this.removeEnded(monotonicMs)
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    this.sessions.set(digestOf(token), { account, endsAtMs: monotonicMs + SESSION_MS })
    return token
  }

  /** Operator of a token; undefined if it is unknown or expired. */
  find(token: string, monotonicMs: number): AccountId | undefined {
    const digest = this.digest(token)
    return digest !== undefined && this.isOpen(digest, monotonicMs) ? this.sessions.get(digest)?.account : undefined
  }

  /** Digest of a token; undefined if it is too long. */
  digest(token: string): SessionDigest | undefined {
    return token.length > TOKEN_MAX_CHARACTERS ? undefined : digestOf(token)
  }

  /** False if the session has ended. */
  isOpen(digest: SessionDigest, monotonicMs: number): boolean {
    return (this.sessions.get(digest)?.endsAtMs ?? 0) > monotonicMs
  }

  /** Call the listener whenever sessions are ended explicitly, not when they expire. */
  onEnd(listener: () => void): void {
    this.listeners.push(listener)
  }

  /** End a session; false if it does not exist. */
  end(token: string): boolean {
    const digest = digestOf(token)
    return this.remove(this.sessions.has(digest) ? [digest] : [])
  }

  /** End every session of an operator; false if there was none. */
  endAll(account: AccountId): boolean {
    const own = [...this.sessions].filter(([, session]) => session.account === account)
    return this.remove(own.map(([digest]) => digest))
  }

  private remove(digests: readonly SessionDigest[]): boolean {
    for (const digest of digests) this.sessions.delete(digest)
    if (digests.length > 0) for (const listener of this.listeners) listener()
    return digests.length > 0
  }

  private removeEnded(monotonicMs: number): void {
    for (const [digest, { endsAtMs }] of this.sessions) {
      if (endsAtMs > monotonicMs) return
      this.sessions.delete(digest)
    }
  }
}
