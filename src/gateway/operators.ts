/** Owns the operators of a node for services of features: their keys and sessions. */
import type { OperatorSession } from '../api/index.js'
import type { Operators } from '../api/operators.js'
import type { Clocks } from '../base/clocks.js'
import { type AccountId, accountOfKey } from '../model/index.js'
import { operatorKeysOf } from './caller.js'
import { type OperatorSessions, SESSION_MS } from './sessions.js'

/** Start a session of an operator. */
export function openSession(sessions: OperatorSessions, clocks: Clocks, account: AccountId): OperatorSession {
  const token = sessions.open(account, clocks.monotonicMs())
  return { token, account, expiresAtMs: clocks.wallMs() + SESSION_MS }
}

/** Operators with the current keys of the node, which a reload changes. */
export function operatorsOf(
  operatorKeys: () => readonly string[],
  sessions: OperatorSessions,
  clocks: Clocks,
): Operators {
  return {
    has: (account) => operatorKeysOf({ operatorKeys: operatorKeys() }).some((key) => accountOfKey(key) === account),
    openSession: (account) => openSession(sessions, clocks, account),
    endSessions: (account) => void sessions.endAll(account),
  }
}
