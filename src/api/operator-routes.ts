/**
 * Owns the rows of operator authentication (docs/design/gateway.md 9): exchange of a signed request for a session, and
 * the end of a session.
 */
import { bool, type Infer, string, struct, varint } from '../codec/index.js'
import { accountId } from '../model/index.js'
import { type AnyRoute, defineRoute, routeTable } from './route.js'

/** Maximum length of a session token, in bytes: 32 random bytes in base64url. */
const TOKEN_MAX_BYTES = 64

/** Session token; a request with it acts as the operator that signed for it. */
export interface OperatorSession extends Infer<typeof operatorSession> {}
export const operatorSession = struct('OperatorSession', {
  /** Value of the header `x-ledger-session`; the node stores only its digest. */
  token: string(TOKEN_MAX_BYTES),
  account: accountId,
  /** End of the session, in ms since the Unix epoch. */
  expiresAtMs: varint,
})

const operatorSessionEnded = struct('OperatorSessionEnded', { ended: bool })

const row = { method: 'POST', access: 'operator', format: 'json', audited: true, whileHalted: true } as const

export const OPERATOR = {
  session: defineRoute({
    ...row,
    id: 'operator.auth.session',
    path: '/v1/operator/auth/session',
    summary: 'Create a session token for the operator that signs this request; it replaces signatures until it expires',
    response: operatorSession,
  }),
  end: defineRoute({
    ...row,
    id: 'operator.auth.end',
    path: '/v1/operator/auth/end',
    summary: 'End the session of this request, or all sessions of the operator that signs it',
    response: operatorSessionEnded,
  }),
} as const

/** Rows of this file. */
export const OPERATOR_ROUTES: readonly AnyRoute[] = routeTable(...Object.values(OPERATOR))
