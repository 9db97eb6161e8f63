/** Owns account admission: which domains let value that arrives make an account (design/ledger-lanes.md 5, row 47). */

import type { Numeric } from '../../codec/index.js'
import { accounts } from '../../executor/accounts.js'
import { type ExecContext, type ExecutableInstruction, type Rejection, reject } from '../../executor/contract.js'
import { parameterOf } from '../../executor/parameters.js'
import { type AccountId, type AssetId, domainOfDefinition, NO_METADATA, type ParameterDef } from '../../model/index.js'
import { createAccount } from './accounts.js'
import { admissionCount, admissions } from './fee-tables.js'
import { alive, enrol, mayGrant } from './grants.js'
import { exceeds } from './money.js'
import { requirePermission } from './permissions.js'
import { admissionChanged } from './schema/events.js'
import * as schema from './schema/fees.js'
import { type ChainAdmission, chainAdmission, type SetAdmission } from './schema/fees.js'
import { domains, type Role, roles } from './tables.js'

/** What the chain allows every domain at most. */
export const ACCOUNT_ADMISSION: ParameterDef<ChainAdmission> = {
  name: 'account_admission',
  schema: chainAdmission,
  fallback: { mode: 'explicit', maxPerTx: 16, maxPerBlock: 256 },
  actsFrom: 1,
}

/** The role that new accounts of a domain get holds nothing alive that the owner of the domain could not grant itself. */
function roleFault(ctx: ExecContext, role: Role, owner: AccountId): Rejection | undefined {
  const isFine = alive(ctx, role.tokens).every((token) => {
    const def = ctx.abi.permissions.get(token.name)
    return def !== undefined && mayGrant(ctx, owner, def, token)
  })
  return isFine
    ? undefined
    : reject('not_permitted', 'the default role holds what the owner of the domain cannot grant')
}

export const setAdmission: ExecutableInstruction<SetAdmission> = {
  ...schema.setAdmission,
  cost: { base: 96 },
  primaryDomain: (value) => value.domain,
  execute(ctx, { domain, policy }) {
    const home = ctx.get(domains, domain)
    if (home === undefined) return reject('absent', `domain ${domain} does not exist`)
    const denied = requirePermission(ctx, 'setting the admission of a domain', home.owner)
    if (denied) return denied
    if (policy.minimum !== undefined && policy.minimum.mantissa < 0n) {
      return reject('bad_amount', 'the least amount is not negative')
    }
    if (policy.defaultRole !== undefined) {
      const role = ctx.get(roles, policy.defaultRole)
      if (role === undefined) return reject('absent', `role ${policy.defaultRole} does not exist`)
      const fault = roleFault(ctx, role, home.owner)
      if (fault !== undefined) return fault
    }
    ctx.set(admissions, domain, policy)
    ctx.emit({ kind: admissionChanged.kind, value: { domain, implicit: policy.mode === 'implicit' } })
    return undefined
  },
}

/** Counts an account that value makes; a rejection when there were enough. */
function countAdmission(ctx: ExecContext, domain: string, maxPerTx: number, maxPerBlock: number) {
  const { height } = ctx.env
  const { id } = ctx.transaction
  const row = ctx.get(admissionCount, domain)
  const isSameBlock = row?.height === height
  const inBlock = isSameBlock ? row.inBlock : 0
  const inTransaction = isSameBlock && Buffer.compare(row.transaction, id) === 0 ? row.inTransaction : 0
  if (inTransaction >= maxPerTx) return reject('admission_limit', `one transaction makes at most ${maxPerTx} accounts`)
  if (inBlock >= maxPerBlock) return reject('admission_limit', `one block makes at most ${maxPerBlock} accounts`)
  ctx.set(admissionCount, domain, {
    height,
    inBlock: inBlock + 1,
    transaction: id,
    inTransaction: inTransaction + 1,
  })
  return undefined
}

/** Whether an amount may reach an account: it is registered, or the domain of the definition lets the amount make it. */
export function receiverAdmission(ctx: ExecContext, to: AssetId, amount: Numeric): Rejection | undefined {
  if (ctx.has(accounts, to.account)) return undefined
  const domain = domainOfDefinition(to.definition)
  const chain = parameterOf(ctx, ACCOUNT_ADMISSION)
  const policy = ctx.get(admissions, domain)
  const home = ctx.get(domains, domain)
  if (chain.mode !== 'implicit' || policy?.mode !== 'implicit' || home === undefined) {
    return reject('unknown_account', 'the receiver is not registered')
  }
  if (policy.minimum !== undefined && exceeds(policy.minimum, amount)) {
    return reject('admission_limit', 'the amount is too small to make an account')
  }
  const role = policy.defaultRole === undefined ? undefined : ctx.get(roles, policy.defaultRole)
  if (policy.defaultRole !== undefined && role === undefined) {
    return reject('absent', `the default role ${policy.defaultRole} does not exist any more`)
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
