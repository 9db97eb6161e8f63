/** Owns the authority of data triggers over what they watch (docs/design/lanes.md 2): their failure undoes what somebody else did, so it is a veto, and a veto belongs to whose the watched thing is, not to whom it merely concerns. */

import { type Rejection, reject, type TriggerAuthority } from '../../../executor/contract.js'
import { type ActiveRules, hasRule } from '../../../executor/rules.js'
import { type Trigger, triggers } from '../../../executor/triggers/tables.js'
import { holds, tokenFor } from '../../../ledger/permissions.js'
import { managersOf } from '../../../ledger/role-managers.js'
import { definitions, domains, nfts, roles } from '../../../ledger/tables.js'
import {
  type AccountId,
  assetDefinitionFault,
  type DataFilter,
  GENESIS_HEIGHT,
  nameFault,
  nftFault,
  type TriggerFilter,
} from '../../../model/index.js'
import type { StateReader } from '../../../state/index.js'
import { TRIGGER_PERMISSIONS } from './permissions.js'
import { TRIGGER_RULES } from './rules.js'

/** Subjects whose events name the domain that they are of: of other events a name is that of a parameter, a call, a key. */
const OF_DOMAINS = new Set(['domain', 'account', 'ownership', 'metadata'])

/** Right on a domain, or on what has the name of one. */
function domainRight(
  rules: ActiveRules,
  state: StateReader,
  subject: string,
  id: string,
  account: AccountId,
): TriggerAuthority {
  if (nameFault(id) !== undefined || state.get(domains, id)?.owner !== account) return 'none'
  if (OF_DOMAINS.has(subject) || !hasRule(rules, TRIGGER_RULES.vetoOfDomains)) return 'veto'
  // Relays are of a domain, or of a call that may be named like one.
  return subject === 'conference_relay' ? 'observe' : 'none'
}

/**
 * Right on an object by its id text, whose form tells what it is; names of roles and triggers may coincide. Owners of
 * domains and definitions answer to nobody for them; the owner of an NFT, the managers of a role and the account of a
 * trigger share it with others, whom they must not be able to bar.
 */
function objectRight(
  rules: ActiveRules,
  state: StateReader,
  subject: string,
  object: string,
  account: AccountId,
): TriggerAuthority {
  if (subject === 'role' || subject === 'trigger') {
    if (nameFault(object) !== undefined) return 'none'
    const role = subject === 'role' ? state.get(roles, object) : undefined
    const own =
      role === undefined
        ? subject === 'trigger' && state.get(triggers, object)?.authority === account
        : managersOf(state, role).includes(account)
    return own ? 'observe' : 'none'
  }
  if (nftFault(object) === undefined) return state.get(nfts, object)?.owner === account ? 'observe' : 'none'
  if (assetDefinitionFault(object) === undefined) {
    return state.get(definitions, object)?.owner === account ? 'veto' : 'none'
  }
  return domainRight(rules, state, subject, object, account)
}

/** Right of an account on what a filter watches, as the state stands. */
function filterRight(
  rules: ActiveRules,
  state: StateReader,
  { subject, scope }: DataFilter,
  account: AccountId,
): TriggerAuthority {
  switch (scope.kind) {
    case 'any':
      return 'none'
    case 'object':
      return objectRight(rules, state, subject, scope.value, account)
    case 'account':
      return scope.value === account ? 'observe' : 'none'
    case 'asset':
      if (state.get(definitions, scope.value.definition)?.owner === account) return 'veto'
      return scope.value.account === account ? 'observe' : 'none'
  }
}

/** Right of an account on what a data or pre-commit trigger watches; holders of CanWatchEvents decide about everything. */
export function watchRight(
  rules: ActiveRules,
  state: StateReader,
  filter: TriggerFilter,
  account: AccountId,
): TriggerAuthority {
  if (!isWatching(filter)) return 'none'
  if (holds(state, account, tokenFor(state, TRIGGER_PERMISSIONS.CanWatchEvents, undefined))) return 'veto'
  return filter.kind === 'data' ? filterRight(rules, state, filter.value, account) : 'none'
}

/** Triggers that run in what others do, or at the end of every block. */
const isWatching = ({ kind }: TriggerFilter): boolean => kind === 'data' || kind === 'preCommit'

/** Why an account may not have a trigger with this filter, or undefined. */
export function watchFault(
  rules: ActiveRules,
  state: StateReader,
  filter: TriggerFilter,
  account: AccountId,
): Rejection | undefined {
  if (!isWatching(filter) || watchRight(rules, state, filter, account) !== 'none') return undefined
  return filter.kind === 'preCommit'
    ? reject('not_permitted', 'a trigger at the end of every block needs CanWatchEvents')
    : reject('not_permitted', 'the authority of a data trigger must own what it watches, or hold CanWatchEvents')
}

/**
 * Right of a registered data trigger when an event sets it off: asked anew, because what it watches may have another
 * owner. About its own acts an account always decides. What genesis registered stands as genesis left it.
 */
export function rightOfTrigger(
  rules: ActiveRules,
  state: StateReader,
  row: Trigger,
  acting: AccountId,
): TriggerAuthority {
  if (row.incarnation.height === GENESIS_HEIGHT) return 'veto'
  const right = watchRight(rules, state, row.filter, row.authority)
  return right === 'observe' && row.authority === acting ? 'veto' : right
}
