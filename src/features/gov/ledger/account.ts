/** Owns the governance account, the permission of governance, and the record of its proposals. */
import { systemAccount } from '../../../executor/accounts.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import { CAN_MANAGE_GOVERNANCE } from '../../../ledger/permission-kinds.js'
import { requirePermission, tokenFor } from '../../../ledger/permissions.js'
import { tokens } from '../../../ledger/tables.js'
import { hasToken } from '../../../model/index.js'
import type { StateReader, StateWriter } from '../../../state/index.js'
import { CLOSED_MAX, GOV_FEATURE } from '../schema/records.js'
import { type GovState, govState, type OpenEntry, STATE_KEY } from './tables.js'

/** Account that executes every decision; it has no key and only granted permissions. */
export const GOV_ACCOUNT = systemAccount(GOV_FEATURE)

export const requireGovernance = (ctx: ExecContext, what: string): Rejection | undefined =>
  requirePermission(ctx, what, undefined, [CAN_MANAGE_GOVERNANCE, undefined])

/**
 * True if the governance account can still change its own rules. The permission of a role does not count, because the
 * managers of the role could revoke it.
 */
export function governs(state: StateReader): boolean {
  const token = tokenFor(state, CAN_MANAGE_GOVERNANCE, undefined)
  return token !== undefined && hasToken(state.get(tokens, GOV_ACCOUNT) ?? [], token)
}

/** State of governance; undefined before it is founded. */
export const stateOf = (state: StateReader): GovState | undefined => state.get(govState, STATE_KEY)

/** State of governance, or `absent`. */
export const foundedState = (state: StateReader): GovState | Rejection =>
  stateOf(state) ?? reject('absent', 'governance is not founded')

/** State of governance, for steps of its proposals. */
export function knownState(state: StateReader): GovState {
  const found = stateOf(state)
  if (found === undefined) throw new Error('a proposal exists without governance')
  return found
}

export const writeState = (state: StateWriter, value: GovState): void => state.set(govState, STATE_KEY, value)

const inOrder = (open: readonly OpenEntry[]): OpenEntry[] =>
  [...open].sort((a, b) => a.dueMs - b.dueMs || a.proposal - b.proposal)

/** Add or move an open proposal in the order of due times. */
export function putOpen(state: StateWriter, entry: OpenEntry): void {
  const known = knownState(state)
  const others = known.open.filter(({ proposal }) => proposal !== entry.proposal)
  writeState(state, { ...known, open: inOrder([...others, entry]) })
}

/** Move a proposal to the closed proposals; returns the proposal whose records must be removed from the state. */
export function putClosed(state: StateWriter, proposal: number): number | undefined {
  const known = knownState(state)
  const closed = [...known.closed, proposal]
  const dropped = closed.length > CLOSED_MAX ? closed.shift() : undefined
  writeState(state, { ...known, open: known.open.filter((one) => one.proposal !== proposal), closed })
  return dropped
}
