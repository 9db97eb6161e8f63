/** Owns account admission: the creation of accounts by incoming value (docs/design/lanes.md 5). */

import type { Numeric } from '../codec/index.js'
import { accounts } from '../executor/accounts.js'
import { unknownAccount } from '../executor/addresses.js'
import { type ExecContext, type Rejection, reject } from '../executor/contract.js'
import { parameterOf } from '../executor/parameters.js'
import { hasRule, type Rule } from '../executor/rules.js'
import {
  ACCOUNT_ADMISSION,
  type AccountId,
  type AssetId,
  domainOfDefinition,
  exceeds,
  keylessKind,
  NO_METADATA,
} from '../model/index.js'
import { createAccount } from './accounts.js'
import { admissionCount, admissions } from './admission-tables.js'
import { alive, enrol, managersOf, mayGrant } from './grants.js'
import { domains, type Role, roles } from './tables.js'

/** Rule of accounts, and of all features that create accounts by admission; listed by accounts. */
export const OWNERS_MANAGE_DEFAULT_ROLES: Rule = {
  since: 2,
  text: 'the owner of a domain manages its default role',
}

/**
 * Fault of a default role, or undefined. It must not contain a live permission that the owner of the domain could not
 * grant, and the owner must manage it, since contracts check roles by name.
 */
export function roleFault(ctx: ExecContext, role: Role, owner: AccountId): Rejection | undefined {
  if (hasRule(ctx, OWNERS_MANAGE_DEFAULT_ROLES) && !managersOf(ctx, role).includes(owner)) {
    return reject('not_permitted', 'the owner of the domain does not manage the default role')
  }
  const isFine = alive(ctx, role.tokens).every((token) => {
    const def = ctx.abi.permissions.get(token.name)
    return def !== undefined && mayGrant(ctx, owner, def, token)
  })
  return isFine
    ? undefined
    : reject('not_permitted', 'the default role contains a permission that the owner of the domain cannot grant')
}

/** Count an account created by incoming value; rejected above the limit. */
function countAdmission(ctx: ExecContext, domain: string, maxPerTx: number, maxPerBlock: number) {
  const { height } = ctx.env
  const { id } = ctx.transaction
  const row = ctx.get(admissionCount, domain)
  const isSameBlock = row?.height === height
  const inBlock = isSameBlock ? row.inBlock : 0
  const inTransaction = isSameBlock && Buffer.compare(row.transaction, id) === 0 ? row.inTransaction : 0
  if (inTransaction >= maxPerTx)
    return reject('admission_limit', `one transaction can create at most ${maxPerTx} accounts`)
  if (inBlock >= maxPerBlock) return reject('admission_limit', `one block can create at most ${maxPerBlock} accounts`)
  ctx.set(admissionCount, domain, {
    height,
    inBlock: inBlock + 1,
    transaction: id,
    inTransaction: inTransaction + 1,
  })
  return undefined
}

/** Check the receiver: it must be registered, or the domain of the definition must allow the amount to create it. */
export function receiverAdmission(ctx: ExecContext, to: AssetId, amount: Numeric): Rejection | undefined {
  if (ctx.has(accounts, to.account)) return undefined
  if (keylessKind(to.account) !== undefined) return unknownAccount(ctx, to.account, 'receiver')
  const domain = domainOfDefinition(to.definition)
  const chain = parameterOf(ctx, ACCOUNT_ADMISSION)
  const policy = ctx.get(admissions, domain)
  const home = ctx.get(domains, domain)
  if (chain.mode !== 'implicit' || policy?.mode !== 'implicit' || home === undefined) {
    return unknownAccount(ctx, to.account, 'receiver')
  }
  if (policy.minimum !== undefined && exceeds(policy.minimum, amount)) {
    return reject('admission_limit', 'the amount is too small to create an account')
  }
  const role = policy.defaultRole === undefined ? undefined : ctx.get(roles, policy.defaultRole)
  if (policy.defaultRole !== undefined && role === undefined) {
    return reject('absent', `the default role ${policy.defaultRole} no longer exists`)
  }
  const refused =
    countAdmission(
      ctx,
      domain,
      Math.min(chain.maxPerTx, policy.maxPerTx),
      Math.min(chain.maxPerBlock, policy.maxPerBlock),
    ) ??
    (role === undefined ? undefined : roleFault(ctx, role, home.owner)) ??
    createAccount(ctx, { id: to.account, domain, label: undefined, metadata: NO_METADATA })
  if (refused !== undefined) return refused
  return role === undefined ? undefined : enrol(ctx, to.account, policy.defaultRole ?? '', role)
}
