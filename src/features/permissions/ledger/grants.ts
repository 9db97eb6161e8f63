/** Owns granting and revoking: permissions to accounts and roles, roles to accounts (docs/design/lanes.md 1, rows 23 and 24). */

import { accounts } from '../../../executor/accounts.js'
import { addressIn, unknownAccount } from '../../../executor/addresses.js'
import { type ExecContext, type Rejection, reject } from '../../../executor/contract.js'
import type { Executions } from '../../../executor/feature.js'
import { objectOf, type Permission } from '../../../executor/permission.js'
import { hasRule, type Rule } from '../../../executor/rules.js'
import { alive, countHolders, dismiss, enrol, managersOf, mayGrant } from '../../../ledger/grants.js'
import { requirePermission, tokenFor } from '../../../ledger/permissions.js'
import { type Role, roles, tokens } from '../../../ledger/tables.js'
import { type AccountId, hasToken, sameToken, TOKENS_MAX, type Token } from '../../../model/index.js'
import type * as schema from '../schema.js'
import { events, type instructions } from '../schema.js'
import { GRANT_PERMISSIONS } from './permissions.js'

export const GRANT_RULES = {
  holdersRevoke: {
    since: 2,
    text: 'an account revokes permissions and roles that it holds',
  },
} as const satisfies Record<string, Rule>

/** Permission of the ABI on an existing object. */
interface Named {
  readonly def: Permission
  readonly token: Token
}

/** Text of a permission. */
const wordsOf = ({ name, object }: schema.PermissionSubject): string =>
  object === undefined ? name : `${name}:${object}`

/** Permission named by a subject, or the reason why it is invalid. */
function named(ctx: ExecContext, { name: wanted, object }: schema.PermissionSubject): Named | Rejection {
  const def = ctx.abi.permissions.get(wanted)
  if (def === undefined) return reject('unknown_permission', `unknown permission ${wanted}`)
  if ((def.on === undefined) !== (object === undefined)) {
    return reject(
      'unknown_permission',
      `${wanted} ${def.on === undefined ? 'has no object' : `requires a ${def.on.name}`}`,
    )
  }
  const token = tokenFor(ctx, def, object)
  return token === undefined ? reject('absent', `the ${objectOf(def)} ${object} does not exist`) : { def, token }
}

/** Permission that the authority may grant and revoke, or the rejection. */
export function grantable(ctx: ExecContext, subject: schema.PermissionSubject): Named | Rejection {
  const found = named(ctx, subject)
  if ('code' in found || ctx.env.genesis || mayGrant(ctx, ctx.authority, found.def, found.token)) return found
  const grantor = found.def.on === undefined ? 'a holder' : (found.def.grantedBy ?? 'the owner of its object')
  return reject('not_permitted', `only ${grantor} can grant and revoke ${found.def.name}`)
}

/** Role of an id. */
const existing = (ctx: ExecContext, id: string): Role | Rejection =>
  ctx.get(roles, id) ?? reject('absent', `role ${id} does not exist`)

/** Role that the authority manages, or the rejection. */
function managed(ctx: ExecContext, id: string): Role | Rejection {
  const role = existing(ctx, id)
  if ('code' in role) return role
  if (managersOf(ctx, role).includes(ctx.authority)) return role
  return requirePermission(ctx, `changing role ${id}`, undefined, [GRANT_PERMISSIONS.CanManageRoles, undefined]) ?? role
}

const without = (held: readonly Token[], token: Token): Token[] => held.filter((one) => !sameToken(one, token))

const roleToRole = (): Rejection => reject('unknown_permission', 'a role can contain permissions only, not roles')

function registered(ctx: ExecContext, account: AccountId): Rejection | undefined {
  return ctx.has(accounts, account) ? undefined : unknownAccount(ctx, account)
}

/** List with a token added, or the rejection if it is full. */
function added(ctx: ExecContext, held: readonly Token[], token: Token): readonly Token[] | Rejection {
  if (hasToken(held, token)) return reject('exists', 'the permission is already granted')
  const kept = alive(ctx, held)
  if (kept.length >= TOKENS_MAX) return reject('too_many_tokens', `the limit of ${TOKENS_MAX} permissions is reached`)
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
  ctx.emit(events.permissionAdded, { account, token })
  return undefined
}

/** True if the holder resigns. This needs no right, since grants need no consent either. */
const laysDown = (ctx: ExecContext, account: AccountId): boolean =>
  account === ctx.authority && hasRule(ctx, GRANT_RULES.holdersRevoke)

/** Permission to revoke, by an account that may grant it or by its holder, who resigns. */
const revocable = (
  ctx: ExecContext,
  subject: schema.PermissionSubject,
  account: AccountId,
): ReturnType<typeof named> => (laysDown(ctx, account) ? named(ctx, subject) : grantable(ctx, subject))

function revokeToken(ctx: ExecContext, subject: schema.PermissionSubject, account: AccountId): Rejection | undefined {
  const found = revocable(ctx, subject, account)
  if ('code' in found) return found
  const unknown = registered(ctx, account)
  if (unknown !== undefined) return unknown
  const { token } = found
  const held = ctx.get(tokens, account) ?? []
  const rest = without(held, token)
  if (rest.length === held.length)
    return reject('absent', `${addressIn(ctx, account)} does not have the permission ${wordsOf(subject)}`)
  const last = countHolders(ctx, [token], -1)
  if (last !== undefined) return last
  if (rest.length === 0) ctx.delete(tokens, account)
  else ctx.set(tokens, account, rest)
  ctx.emit(events.permissionRemoved, { account, token })
  return undefined
}

function addToRole(ctx: ExecContext, subject: schema.PermissionSubject, id: string): Rejection | undefined {
  const role = managed(ctx, id)
  if ('code' in role) return role
  const sealed = ctx.abi.policies.roleSeal?.(ctx, id, { kind: 'permissions' })
  if (sealed !== undefined) return sealed
  const found = grantable(ctx, subject)
  if ('code' in found) return found
  const next = added(ctx, role.tokens, found.token)
  if ('code' in next) return next
  ctx.set(roles, id, { ...role, tokens: next })
  countHolders(ctx, [found.token], role.members)
  ctx.emit(events.rolePermissionAdded, { role: id, token: found.token })
  return undefined
}

/**
 * Remove a permission from a role. A manager of the role can do so, and also any account that may grant the permission,
 * so that an object does not depend on the managers of a role.
 */
function removeFromRole(ctx: ExecContext, subject: schema.PermissionSubject, id: string): Rejection | undefined {
  const role = ctx.get(roles, id)
  if (role === undefined) return reject('absent', `role ${id} does not exist`)
  const found = named(ctx, subject)
  const isGrantor = !('code' in found) && mayGrant(ctx, ctx.authority, found.def, found.token)
  const refused = isGrantor ? role : managed(ctx, id)
  if ('code' in refused) return refused
  if ('code' in found) return found
  const rest = without(role.tokens, found.token)
  if (rest.length === role.tokens.length)
    return reject('absent', `role ${id} does not have the permission ${wordsOf(subject)}`)
  const sealed = ctx.abi.policies.roleSeal?.(ctx, id, { kind: 'permissions' })
  if (sealed !== undefined) return sealed
  const last = countHolders(ctx, [found.token], -role.members)
  if (last !== undefined) return last
  ctx.set(roles, id, { ...role, tokens: rest })
  ctx.emit(events.rolePermissionRemoved, { role: id, token: found.token })
  return undefined
}

/** Units of a grant or a revocation, which checks up to 64 permissions of the holder. */
const GRANT_TEU = 160

export const execute = {
  grant: {
    cost: { base: GRANT_TEU },
    execute(ctx, { subject, to }) {
      if (subject.kind === 'permission') {
        return to.kind === 'account'
          ? grantToken(ctx, subject.value, to.value)
          : addToRole(ctx, subject.value, to.value)
      }
      if (to.kind === 'role') return roleToRole()
      const role = managed(ctx, subject.value)
      if ('code' in role) return role
      return registered(ctx, to.value) ?? enrol(ctx, to.value, subject.value, role)
    },
  },

  revoke: {
    cost: { base: GRANT_TEU },
    execute(ctx, { subject, to }) {
      if (subject.kind === 'permission') {
        return to.kind === 'account'
          ? revokeToken(ctx, subject.value, to.value)
          : removeFromRole(ctx, subject.value, to.value)
      }
      if (to.kind === 'role') return roleToRole()
      const role = laysDown(ctx, to.value) ? existing(ctx, subject.value) : managed(ctx, subject.value)
      if ('code' in role) return role
      return registered(ctx, to.value) ?? dismiss(ctx, to.value, subject.value)
    },
  },
} satisfies Partial<Executions<typeof instructions>>
