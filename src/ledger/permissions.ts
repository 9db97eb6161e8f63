/** Owns the permission check: token lookup, and the common check of instructions. */

import { type ExecContext, type Rejection, reject } from '../executor/contract.js'
import type { Permission } from '../executor/permission.js'
import { type AccountId, hasToken, type Incarnation, type Token } from '../model/index.js'
import type { StateReader } from '../state/index.js'
import { accountRoles, roles, tokens } from './tables.js'

/**
 * Token of a permission on the current incarnation of an object; undefined if it does not exist, or the text is not an
 * object.
 */
export function tokenFor(state: StateReader, def: Permission, object: string | undefined): Token | undefined {
  if (def.on === undefined) return { name: def.name, object: undefined, incarnation: undefined }
  // Tables refuse keys that are not ids, so a text of a client is validated before any lookup.
  if (object === undefined || !def.on.isId(object)) return undefined
  const incarnation: Incarnation | undefined = def.on.incarnation(state, object)
  return incarnation === undefined ? undefined : { name: def.name, object, incarnation }
}

/** True if the account holds the token, directly or through a role. */
export function holds(state: StateReader, account: AccountId, token: Token | undefined): boolean {
  if (token === undefined) return false
  const isIn = (held: readonly Token[] = []): boolean => hasToken(held, token)
  if (isIn(state.get(tokens, account))) return true
  return (state.get(accountRoles, account) ?? []).some((role) => isIn(state.get(roles, role)?.tokens))
}

/**
 * Deny by default: allowed in genesis, to the owner, or to a holder of one of the tokens (docs/design/lanes.md 1).
 * Tokens are looked up lazily, so the owner's path reads nothing.
 */
export function requirePermission(
  ctx: ExecContext,
  what: string,
  owner: AccountId | undefined,
  ...wanted: readonly (readonly [def: Permission, object: string | undefined])[]
): Rejection | undefined {
  if (ctx.env.genesis || (owner !== undefined && owner === ctx.authority)) return undefined
  for (const [def, object] of wanted) if (holds(ctx, ctx.authority, tokenFor(ctx, def, object))) return undefined
  const names = wanted.map(([def]) => def.name).join(' or ')
  return reject('not_permitted', `${what} requires ${owner === undefined ? '' : 'the owner or '}${names}`)
}
