/** Owns account creation, shared by all instructions that create accounts. */

import { type Account, accounts } from '../executor/accounts.js'
import { type ExecContext, type Rejection, reject } from '../executor/contract.js'
import { dropMetadata, writeMetadata } from '../executor/metadata.js'
import { type AccountId, accountEvents, keylessKind, type Metadata } from '../model/index.js'
import { countMember } from './members.js'
import { onDomain } from './permission-kinds.js'
import { requirePermission } from './permissions.js'
import { type Alias, aliases, domains } from './tables.js'

/** Permission to register accounts in a domain. */
export const CAN_REGISTER_ACCOUNT = onDomain('CanRegisterAccount')

/** Account to create. */
export interface NewAccount {
  readonly id: AccountId
  readonly domain: string
  readonly label: string | undefined
  readonly metadata: Metadata
}

/** Rejection for a label that another account uses. */
export const takenLabel = ({ domain, label }: Alias): Rejection =>
  reject('bad_label', `${label}@${domain} is already used`)

/** Set a label that is free in its domain; rejected if another account has it or the label policy refuses it. */
export function claimLabel(
  ctx: ExecContext,
  id: AccountId,
  domain: string,
  label: string | undefined,
): Rejection | undefined {
  if (label === undefined) return undefined
  const alias = { domain, label }
  const { aliasLabels } = ctx.abi.policies
  const isTaken = aliasLabels === undefined && ctx.get(aliases, alias) !== undefined
  const refused = isTaken ? takenLabel(alias) : aliasLabels?.claim(ctx, alias, id)
  if (refused === undefined) ctx.set(aliases, alias, id)
  return refused
}

/** Release the label of an account. */
export function releaseLabel(
  ctx: ExecContext,
  id: AccountId,
  domain: string,
  label: string | undefined,
): Rejection | undefined {
  if (label === undefined) return undefined
  const alias = { domain, label }
  const refused = ctx.abi.policies.aliasLabels?.release(ctx, alias, id)
  if (refused === undefined) ctx.delete(aliases, alias)
  return refused
}

/** Write an account into an existing domain; permission was checked before. */
export function createAccount(ctx: ExecContext, { id, domain, label, metadata }: NewAccount): Rejection | undefined {
  if (ctx.get(accounts, id) !== undefined) return reject('exists', 'the account is already registered')
  const refused = claimLabel(ctx, id, domain, label) ?? writeMetadata(ctx, { kind: 'account', value: id }, metadata)
  if (refused !== undefined) return refused
  ctx.set(accounts, id, { domain, label, incarnation: ctx.incarnation(), watchers: 0 })
  countMember(ctx, domain, 1)
  ctx.emit(accountEvents.accountCreated, { account: id, domain })
  return undefined
}

/** Remove an account without objects, with its alias and metadata. */
export function removeAccount(ctx: ExecContext, id: AccountId, { domain, label }: Account): Rejection | undefined {
  const kept = releaseLabel(ctx, id, domain, label)
  if (kept !== undefined) return kept
  ctx.delete(accounts, id)
  dropMetadata(ctx, { kind: 'account', value: id })
  countMember(ctx, domain, -1)
  ctx.emit(accountEvents.accountDeleted, { account: id, domain })
  return undefined
}

/**
 * Rejection for an account without a key, which only its feature may create and remove; undefined for other accounts.
 */
export const keylessFault = (id: AccountId): Rejection | undefined => {
  const kind = keylessKind(id)
  return kind === undefined
    ? undefined
    : reject('not_permitted', `only its feature can create and remove a ${kind} account`)
}

/** Rejection if the authority may not register accounts in a domain, or undefined. */
export function registrationFault(ctx: ExecContext, domain: string): Rejection | undefined {
  const home = ctx.get(domains, domain)
  if (home === undefined) return reject('absent', `domain ${domain} does not exist`)
  return requirePermission(ctx, 'registering an account', home.owner, [CAN_REGISTER_ACCOUNT, domain])
}
