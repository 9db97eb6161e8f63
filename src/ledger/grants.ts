/**
 * Owns the bookkeeping of granted and revoked permissions: valid tokens, holders of global permissions, members and
 * managers of roles.
 */

import { accounts } from '../executor/accounts.js'
import { addressIn } from '../executor/addresses.js'
import { type ExecContext, type Rejection, reject } from '../executor/contract.js'
import type { Permission } from '../executor/permission.js'
import { type AccountId, ROLES_MAX, roleEvents, sameIncarnation, sameToken, type Token } from '../model/index.js'
import type { StateReader, StateWriter } from '../state/index.js'
import { holds, tokenFor } from './permissions.js'
import { accountRoles, holders, type Role, type RoleManager, roles } from './tables.js'

/**
 * Rule for granting: a global token by a holder, a token of an object by its owner, a token of an object without an
 * owner by a manager of all such objects.
 */
export function mayGrant(state: StateReader, account: AccountId, def: Permission, token: Token): boolean {
  if (def.on === undefined) return holds(state, account, token) || isFirstGrantor(state, account, def)
  if (def.grantedBy === undefined) return token.object !== undefined && def.on.owner(state, token.object) === account
  return holds(state, account, { name: def.grantedBy, object: undefined, incarnation: undefined })
}

/** True if a global permission added by an upgrade has no holder, and the account may grant it first. */
function isFirstGrantor(state: StateReader, account: AccountId, { name, firstGrantedBy }: Permission): boolean {
  if (firstGrantedBy === undefined || (state.get(holders, name) ?? 0) > 0) return false
  return holds(state, account, { name: firstGrantedBy, object: undefined, incarnation: undefined })
}

/**
 * Tokens of existing objects. Tokens of removed objects are deleted when new ones are added, so that no scan is needed.
 */
export const alive = (ctx: ExecContext, held: readonly Token[]): Token[] =>
  held.filter((one) => {
    const def = ctx.abi.permissions.get(one.name)
    const now = def === undefined ? undefined : tokenFor(ctx, def, one.object)
    return now !== undefined && sameToken(now, one)
  })

/** True for tokens without an object, which are global. */
const isGlobal = (token: Token): boolean => token.object === undefined

/** Count the holders of global permissions; the last holder of each cannot lose it. */
export function countHolders(state: StateWriter, held: readonly Token[], by: number): Rejection | undefined {
  if (by === 0) return undefined
  for (const { name } of held.filter(isGlobal)) {
    const count = (state.get(holders, name) ?? 0) + by
    if (count <= 0) return reject('last_holder', `no other account holds ${name}`)
    state.set(holders, name, count)
  }
  return undefined
}

/** Add a role to an account; the caller has checked the permission to grant. */
export function enrol(ctx: ExecContext, account: AccountId, id: string, role: Role): Rejection | undefined {
  const held = ctx.get(accountRoles, account) ?? []
  if (held.includes(id)) return reject('exists', 'the account already has this role')
  if (held.length >= ROLES_MAX) return reject('too_many_roles', `an account can have at most ${ROLES_MAX} roles`)
  const sealed = ctx.abi.policies.roleSeal?.(ctx, id, { kind: 'member', account, by: 1 })
  if (sealed !== undefined) return sealed
  ctx.set(accountRoles, account, [...held, id])
  ctx.set(roles, id, { ...role, members: role.members + 1 })
  countHolders(ctx, role.tokens, 1)
  ctx.emit(roleEvents.roleGranted, { account, role: id })
  return undefined
}

/** Remove a role from an account; the caller has checked the permission to revoke. */
export function dismiss(ctx: ExecContext, account: AccountId, id: string): Rejection | undefined {
  const role = ctx.get(roles, id)
  const held = ctx.get(accountRoles, account) ?? []
  if (role === undefined || !held.includes(id))
    return reject('absent', `${addressIn(ctx, account)} does not have the role ${id}`)
  const sealed = ctx.abi.policies.roleSeal?.(ctx, id, { kind: 'member', account, by: -1 })
  if (sealed !== undefined) return sealed
  const last = countHolders(ctx, role.tokens, -1)
  if (last !== undefined) return last
  const rest = held.filter((one) => one !== id)
  if (rest.length === 0) ctx.delete(accountRoles, account)
  else ctx.set(accountRoles, account, rest)
  ctx.set(roles, id, { ...role, members: role.members - 1 })
  ctx.emit(roleEvents.roleRevoked, { account, role: id })
  return undefined
}

/** Registered accounts as managers. */
export const asManagers = (state: StateReader, named: readonly AccountId[]): readonly RoleManager[] =>
  named.flatMap((account) => {
    const row = state.get(accounts, account)
    return row === undefined ? [] : [{ account, incarnation: row.incarnation }]
  })

/** Accounts that currently manage a role. */
export const managersOf = (state: StateReader, { managers }: Role): readonly AccountId[] =>
  managers
    .filter(({ account, incarnation }) => sameIncarnation(incarnation, state.get(accounts, account)?.incarnation))
    .map(({ account }) => account)
