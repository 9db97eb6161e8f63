/** Owns role managers: the accounts that were named, as long as they are the registrations that were named. */

import { accounts } from '../executor/accounts.js'
import { type AccountId, sameIncarnation } from '../model/index.js'
import type { StateReader } from '../state/index.js'
import type { Role, RoleManager } from './tables.js'

/** Registered accounts as managers. */
export const asManagers = (state: StateReader, named: readonly AccountId[]): readonly RoleManager[] =>
  named.flatMap((account) => {
    const row = state.get(accounts, account)
    return row === undefined ? [] : [{ account, incarnation: row.incarnation }]
  })

/** Accounts that manage a role now. */
export const managersOf = (state: StateReader, { managers }: Role): readonly AccountId[] =>
  managers
    .filter(({ account, incarnation }) => sameIncarnation(incarnation, state.get(accounts, account)?.incarnation))
    .map(({ account }) => account)
