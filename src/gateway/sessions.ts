/** Owns the sessions of operators: tokens that stand for a signature for a while (docs/design/gateway.md 9). */
import { createHash, randomBytes } from 'node:crypto'
import { BoundedMap } from '../base/bounded.js'
import type { AccountId } from '../model/index.js'

/** How long a session lasts, in ms: long enough for a page of an operator, short enough for one that was left open. */
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

export class OperatorSessions {
  /** In the order of their start, which is the order of their end. */
  private readonly sessions = new BoundedMap<string, Session>(SESSIONS_MAX)

  /** Starts a session of an operator; gives its token. */
  open(account: AccountId, monotonicMs: number): string {
    this.forgetEnded(monotonicMs)
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    this.sessions.set(digestOf(token), { account, endsAtMs: monotonicMs + SESSION_MS })
    return token
  }

  /** The operator of a token; undefined when it is unknown or over. */
  find(token: string, monotonicMs: number): AccountId | undefined {
    if (token.length > TOKEN_MAX_CHARACTERS) return undefined
    const found = this.sessions.get(digestOf(token))
    return found !== undefined && found.endsAtMs > monotonicMs ? found.account : undefined
  }

  /** Ends a session; false when there is none. */
  end(token: string): boolean {
    return this.sessions.delete(digestOf(token))
  }

  /** Ends every session of an operator; false when there was none. */
  endAll(account: AccountId): boolean {
    const own = [...this.sessions].filter(([, session]) => session.account === account)
    for (const [digest] of own) this.sessions.delete(digest)
    return own.length > 0
  }

  private forgetEnded(monotonicMs: number): void {
    for (const [digest, { endsAtMs }] of this.sessions) {
      if (endsAtMs > monotonicMs) return
      this.sessions.delete(digest)
    }
  }
}
