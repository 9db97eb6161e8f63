/** Owns the interface of features to the operators of a node: their keys and sessions. */
import type { AccountId } from '../model/index.js'
import type { OperatorSession } from './operator-routes.js'

/** Operators of a node, by the accounts of their keys. */
export interface Operators {
  has(account: AccountId): boolean
  /** Create a session for an operator that the caller has authenticated. */
  openSession(account: AccountId): OperatorSession
  /** End all sessions of an operator. */
  endSessions(account: AccountId): void
}
