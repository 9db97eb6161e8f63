/** Owns account creation, shared by all instructions that create accounts. */

import { accounts } from '../executor/accounts.js'
import { type ExecContext, type Rejection, reject } from '../executor/contract.js'
import { writeMetadata } from '../executor/metadata.js'
import type { AccountId, Metadata } from '../model/index.js'
import { KERNEL_EVENTS } from './events.js'
import { countMember } from './members.js'
import { onDomain } from './permission-kinds.js'
import { requirePermission } from './permissions.js'
import { aliases, domains } from './tables.js'

/** Registering accounts in a domain. */
export const CAN_REGISTER_ACCOUNT = onDomain('CanRegisterAccount')

/** An account to be. */
export interface NewAccount {
  readonly id: AccountId
  readonly domain: string
  readonly label: string | undefined
  readonly metadata: Metadata
}

/** Claims an alias; a rejection when another account has it. */
export function claim(
  ctx: ExecContext,
  id: AccountId,
  domain: string,
  label: string | undefined,
): Rejection | undefined {
  if (label === undefined) return undefined
  const alias = { domain, label }
  if (ctx.get(aliases, alias) !== undefined) return reject('bad_label', `${label}@${domain} is already used`)
  ctx.set(aliases, alias, id)
  return undefined
}

/** Writes an account into a domain that exists; who may do so was asked before. */
export function createAccount(ctx: ExecContext, { id, domain, label, metadata }: NewAccount): Rejection | undefined {
  if (ctx.get(accounts, id) !== undefined) return reject('exists', 'the account is registered')
  const refused = claim(ctx, id, domain, label) ?? writeMetadata(ctx, { kind: 'account', value: id }, metadata)
  if (refused !== undefined) return refused
  ctx.set(accounts, id, { domain, label, incarnation: ctx.incarnation(), watchers: 0 })
  countMember(ctx, domain, 1)
  ctx.emit({ kind: KERNEL_EVENTS.accountCreated, value: { account: id, domain } })
  return undefined
}

/** Why the authority may not register accounts in a domain, or undefined. */
export function registrationFault(ctx: ExecContext, domain: string): Rejection | undefined {
  const home = ctx.get(domains, domain)
  if (home === undefined) return reject('absent', `domain ${domain} does not exist`)
  return requirePermission(ctx, 'registering an account', home.owner, [CAN_REGISTER_ACCOUNT, domain])
}
