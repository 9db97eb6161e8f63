/** Owns the state of submitters: registration, and accounts that they may debit. */
import { accounts } from '../../../executor/accounts.js'
import { domains } from '../../../ledger/tables.js'
import { type AccountId, type Incarnation, isEarlier } from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { type Submitter, submitters, submitterTimes } from './tables.js'

/** True if the row of a submitter names the account. */
export function isNamed(state: StateReader, { debtor }: Submitter, account: AccountId): boolean {
  if (debtor.kind === 'accounts') return debtor.value.includes(account)
  return state.get(accounts, account)?.domain === debtor.value
}

/**
 * True if the submitter still has the registration for which its row was created; an account that was removed and
 * registered again has a new registration.
 */
function wasThere(state: StateReader, submitter: AccountId, registered: Incarnation | undefined): boolean {
  const set = state.get(submitterTimes, submitter)
  return set === undefined || (registered !== undefined && isEarlier(registered, set))
}

/** Settings of a submitter; undefined if it is not one, or was removed and registered again. */
export function submitterOf(state: StateReader, id: AccountId): Submitter | undefined {
  const row = state.get(submitters, id)
  return row !== undefined && wasThere(state, id, state.get(accounts, id)?.incarnation) ? row : undefined
}

/** True if the submitter may debit the account under the settings in `row`. */
export function mayDebit(state: StateReader, id: AccountId, row: Submitter, account: AccountId): boolean {
  const { debtor } = row
  const named = debtor.kind === 'accounts' ? state.get(accounts, account) : state.get(domains, debtor.value)
  return isNamed(state, row, account) && wasThere(state, id, named?.incarnation)
}
