/** Owns what the ledger says of a submitter: whether it is one, and which accounts it may have debited. */
import { accounts } from '../../../executor/accounts.js'
import { domains } from '../../../ledger/tables.js'
import { type AccountId, type Incarnation, isEarlier } from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { type Submitter, submitters, submitterTimes } from './tables.js'

/** True for an account that the row of a submitter names. */
export function isNamed(state: StateReader, { debtor }: Submitter, account: AccountId): boolean {
  if (debtor.kind === 'accounts') return debtor.value.includes(account)
  return state.get(accounts, account)?.domain === debtor.value
}

/** True for a registration that a submitter was set about: who left and came back since, under the same id, is another one. */
function wasThere(state: StateReader, submitter: AccountId, registered: Incarnation | undefined): boolean {
  const set = state.get(submitterTimes, submitter)
  return set === undefined || (registered !== undefined && isEarlier(registered, set))
}

/** What a submitter was set to; undefined for who is none, or was removed since and came back. */
export function submitterOf(state: StateReader, id: AccountId): Submitter | undefined {
  const row = state.get(submitters, id)
  return row !== undefined && wasThere(state, id, state.get(accounts, id)?.incarnation) ? row : undefined
}

/** True when the submitter, set to this, may have the account debited. */
export function mayDebit(state: StateReader, id: AccountId, row: Submitter, account: AccountId): boolean {
  const { debtor } = row
  const named = debtor.kind === 'accounts' ? state.get(accounts, account) : state.get(domains, debtor.value)
  return isNamed(state, row, account) && wasThere(state, id, named?.incarnation)
}
