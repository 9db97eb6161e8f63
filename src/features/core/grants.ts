/** Owns granting and revoking: permissions to accounts and roles, roles to accounts (design/ledger-lanes.md 1, rows 23 and 24). */

import { accounts } from '../../executor/accounts.js'
import {
  type ExecContext,
  type ExecutableInstruction,
  type Permission,
  type Rejection,
  reject,
} from '../../executor/contract.js'
import { type AccountId, hasToken, ROLES_MAX, sameToken, TOKENS_MAX, type Token } from '../../model/index.js'
import type { StateReader, StateWriter } from '../../state/index.js'
import { holds, PERMISSIONS, requirePermission, tokenFor } from './permissions.js'
import { managersOf } from './role-managers.js'
import {
  permissionAdded,
  permissionRemoved,
  roleGranted,
  rolePermissionAdded,
  rolePermissionRemoved,
  roleRevoked,
} from './schema/events.js'
import * as schema from './schema/roles.js'
import { accountRoles, holders, type Role, roles, tokens } from './tables.js'

/** A permission of the ABI on an object that exists. */
interface Named {
  readonly def: Permission
  readonly token: Token
}

/** The permission of a subject, or what is wrong with it. */
function named(ctx: ExecContext, { name: wanted, object }: schema.PermissionSubject): Named | Rejection {
  const def = ctx.abi.permissions.get(wanted)
  if (def === undefined) return reject('unknown_permission', `there is no permission ${wanted}`)
  if ((def.object === 'none') !== (object === undefined)) {
    return reject(
      'unknown_permission',
      def.object === 'none' ? `${wanted} has no object` : `${wanted} needs a ${def.object}`,
    )
  }
  const token = tokenFor(ctx, def, object)
  return token === undefined ? reject('absent', `the ${def.object} ${object} does not exist`) : { def, token }
}

/** Global tokens by a holder, those of objects by their owner, those of objects without owner by who manages them all. */
export function mayGrant(state: StateReader, account: AccountId, def: Permission, token: Token): boolean {
  if (def.object === 'none') return holds(state, account, token)
  if (def.grantedBy === undefined) return def.grantor(state, token.object) === account
  return holds(state, account, { name: def.grantedBy, object: undefined, incarnation: undefined })
}

/** The permission that the authority may grant and revoke, or why it may not. */
export function grantable(ctx: ExecContext, subject: schema.PermissionSubject): Named | Rejection {
  const found = named(ctx, subject)
  if ('code' in found || ctx.env.genesis || mayGrant(ctx, ctx.authority, found.def, found.token)) return found
  const who = found.def.object === 'none' ? 'a holder' : (found.def.grantedBy ?? 'the owner of its object')
  return reject('not_permitted', `${found.def.name} is granted and revoked by ${who}`)
}

/** Tokens whose objects still are; dead ones make room when others come, so that no scan ever prunes them. */
export const alive = (ctx: ExecContext, held: readonly Token[]): Token[] =>
  held.filter((one) => {
    const def = ctx.abi.permissions.get(one.name)
    const now = def === undefined ? undefined : tokenFor(ctx, def, one.object)
    return now !== undefined && sameToken(now, one)
  })

/** Global permissions are those without an object. */
const isGlobal = (token: Token): boolean => token.object === undefined

/** Counts ways in which global permissions are held; the last one of each cannot be taken. */
export function countHolders(state: StateWriter, held: readonly Token[], by: number): Rejection | undefined {
  if (by === 0) return undefined
  for (const { name } of held.filter(isGlobal)) {
    const count = (state.get(holders, name) ?? 0) + by
    if (count <= 0) return reject('last_holder', `nobody else holds ${name}`)
    state.set(holders, name, count)
  }
  return undefined
}

/** The role that the authority manages, or why it does not. */
function managed(ctx: ExecContext, id: string): Role | Rejection {
  const role = ctx.get(roles, id)
  if (role === undefined) return reject('absent', `role ${id} does not exist`)
  if (managersOf(ctx, role).includes(ctx.authority)) return role
  return requirePermission(ctx, `changing role ${id}`, undefined, [PERMISSIONS.CanManageRoles, undefined]) ?? role
}

const without = (held: readonly Token[], token: Token): Token[] => held.filter((one) => !sameToken(one, token))

const roleToRole = (): Rejection => reject('unknown_permission', 'a role holds permissions, no roles')

function registered(ctx: ExecContext, account: AccountId): Rejection | undefined {
  return ctx.has(accounts, account) ? undefined : reject('unknown_account', 'the account is not registered')
}

/** Adds a token to a list; the list, or why it does not get longer. */
function added(ctx: ExecContext, held: readonly Token[], token: Token): readonly Token[] | Rejection {
  if (hasToken(held, token)) return reject('exists', 'the permission is held already')
  const kept = alive(ctx, held)
  if (kept.length >= TOKENS_MAX) return reject('too_many_tokens', `at most ${TOKENS_MAX} permissions are held`)
  return [...kept, token]
}

function grantToken(ctx: ExecContext, subject: schema.PermissionSubject, account: AccountId): Rejection | undefined {
  const found = grantable(ctx, subject)
  if ('code' in found) return found
  const unknown = registered(ctx, account)
  if (unknown !== undefined) return unknown
  const { token } = found
  const next = added(ctx, ctx.get(tokens, account) ?? [], token)
  if ('code' in next) return next
  ctx.set(tokens, account, next)
  countHolders(ctx, [token], 1)
  ctx.emit({ kind: permissionAdded.kind, value: { account, token } })
  return undefined
}

function revokeToken(ctx: ExecContext, subject: schema.PermissionSubject, account: AccountId): Rejection | undefined {
  const found = grantable(ctx, subject)
  if ('code' in found) return found
  const unknown = registered(ctx, account)
  if (unknown !== undefined) return unknown
  const { token } = found
  const held = ctx.get(tokens, account) ?? []
  const rest = without(held, token)
  if (rest.length === held.length) return reject('absent', 'the account does not hold this permission')
  const last = countHolders(ctx, [token], -1)
  if (last !== undefined) return last
  if (rest.length === 0) ctx.delete(tokens, account)
  else ctx.set(tokens, account, rest)
  ctx.emit({ kind: permissionRemoved.kind, value: { account, token } })
  return undefined
}

function addToRole(ctx: ExecContext, subject: schema.PermissionSubject, id: string): Rejection | undefined {
  const role = managed(ctx, id)
  if ('code' in role) return role
  const found = grantable(ctx, subject)
  if ('code' in found) return found
  const next = added(ctx, role.tokens, found.token)
  if ('code' in next) return next
  ctx.set(roles, id, { ...role, tokens: next })
  countHolders(ctx, [found.token], role.members)
  ctx.emit({ kind: rolePermissionAdded.kind, value: { role: id, token: found.token } })
  return undefined
}

/** Out of a role a permission comes by who manages the role, or by who may grant it: an object is not at the mercy of a role. */
function removeFromRole(ctx: ExecContext, subject: schema.PermissionSubject, id: string): Rejection | undefined {
  const role = ctx.get(roles, id)
  if (role === undefined) return reject('absent', `role ${id} does not exist`)
  const found = named(ctx, subject)
  const isGrantor = !('code' in found) && mayGrant(ctx, ctx.authority, found.def, found.token)
  const refused = isGrantor ? role : managed(ctx, id)
  if ('code' in refused) return refused
  if ('code' in found) return found
  const rest = without(role.tokens, found.token)
  if (rest.length === role.tokens.length) return reject('absent', 'the role does not hold this permission')
  const last = countHolders(ctx, [found.token], -role.members)
  if (last !== undefined) return last
  ctx.set(roles, id, { ...role, tokens: rest })
  ctx.emit({ kind: rolePermissionRemoved.kind, value: { role: id, token: found.token } })
  return undefined
}

/** Gives a role to an account that may have it; who may give it was asked before. */
export function enrol(ctx: ExecContext, account: AccountId, id: string, role: Role): Rejection | undefined {
  const held = ctx.get(accountRoles, account) ?? []
  if (held.includes(id)) return reject('exists', 'the account has this role')
  if (held.length >= ROLES_MAX) return reject('too_many_roles', `an account has at most ${ROLES_MAX} roles`)
  ctx.set(accountRoles, account, [...held, id])
  ctx.set(roles, id, { ...role, members: role.members + 1 })
  countHolders(ctx, role.tokens, 1)
  ctx.emit({ kind: roleGranted.kind, value: { account, role: id } })
  return undefined
}

/** Takes a role from an account; who may take it was asked before. */
export function dismiss(ctx: ExecContext, account: AccountId, id: string): Rejection | undefined {
  const role = ctx.get(roles, id)
  const held = ctx.get(accountRoles, account) ?? []
  if (role === undefined || !held.includes(id)) return reject('absent', 'the account does not have this role')
  const last = countHolders(ctx, role.tokens, -1)
  if (last !== undefined) return last
  const rest = held.filter((one) => one !== id)
  if (rest.length === 0) ctx.delete(accountRoles, account)
  else ctx.set(accountRoles, account, rest)
  ctx.set(roles, id, { ...role, members: role.members - 1 })
  ctx.emit({ kind: roleRevoked.kind, value: { account, role: id } })
  return undefined
}

/** Units of a grant or a revocation: whoever has 64 permissions has each of them looked at. */
const GRANT_TEU = 160

export const grant: ExecutableInstruction<schema.GrantOrRevoke> = {
  ...schema.grant,
  cost: { base: GRANT_TEU },
  execute(ctx, { subject, to }) {
    if (subject.kind === 'permission') {
      return to.kind === 'account' ? grantToken(ctx, subject.value, to.value) : addToRole(ctx, subject.value, to.value)
    }
    if (to.kind === 'role') return roleToRole()
    const role = managed(ctx, subject.value)
    if ('code' in role) return role
    return registered(ctx, to.value) ?? enrol(ctx, to.value, subject.value, role)
  },
}

export const revoke: ExecutableInstruction<schema.GrantOrRevoke> = {
  ...schema.revoke,
  cost: { base: GRANT_TEU },
  execute(ctx, { subject, to }) {
    if (subject.kind === 'permission') {
      return to.kind === 'account'
        ? revokeToken(ctx, subject.value, to.value)
        : removeFromRole(ctx, subject.value, to.value)
    }
    if (to.kind === 'role') return roleToRole()
    const role = managed(ctx, subject.value)
    if ('code' in role) return role
    return registered(ctx, to.value) ?? dismiss(ctx, to.value, subject.value)
  },
}
