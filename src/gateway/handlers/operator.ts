/** Owns handlers of operator authentication: starting a session with a signature, and ending it. */
import { type Caller, handle, OPERATOR, SESSION_HEADER } from '../../api/index.js'
import type { Clocks } from '../../base/clocks.js'
import { LedgerError } from '../../model/index.js'
import { openSession } from '../operators.js'
import type { OperatorSessions } from '../sessions.js'

interface Input {
  readonly caller: Caller
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Handlers for these sessions. */
export const operatorHandlers = (sessions: OperatorSessions, clocks: Clocks) => [
  handle(OPERATOR.session, ({ caller: { account, session } }: Input) => {
    // A session that could renew itself would never end.
    if (session === true || account === undefined) {
      return new LedgerError('unauthorised', 'a session requires a signature, not another session')
    }
    return { value: openSession(sessions, clocks, account) }
  }),
  handle(OPERATOR.end, ({ caller: { account, session }, headers }: Input) => {
    if (session === true) return { value: { ended: sessions.end(headers[SESSION_HEADER] ?? '') } }
    return { value: { ended: account !== undefined && sessions.endAll(account) } }
  }),
]
